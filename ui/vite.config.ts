import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  // Relative, because the window loads the files from its own scheme and the HTTP host from its root.
  base: './',
  server: { port: 1420, strictPort: true },
  build: {
    // WebKitGTK 2.42 and WKWebView of macOS 13 understand what Safari 16.4 does.
    target: 'safari16.4',
    sourcemap: false,
    // The CSP allows fonts and images from 'self' only: nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], setupFiles: ['src/test-setup.ts'] },
});
