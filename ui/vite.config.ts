import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const NOTICES = 'virtual:license-notices';

/** The license texts of everything that ships, for About. */
function licenseNotices() {
  const script = fileURLToPath(new URL('../packaging/bill-of-materials.mjs', import.meta.url));
  return {
    name: 'license-notices',
    resolveId: (id: string) => (id === NOTICES ? `\0${NOTICES}` : null),
    load(id: string) {
      if (id !== `\0${NOTICES}`) return null;
      const text = execFileSync(process.execPath, [script, '--notices'], { encoding: 'utf8', maxBuffer: 1 << 26 });
      return `export default ${JSON.stringify(text)};`;
    },
  };
}

export default defineConfig({
  plugins: [react(), licenseNotices()],
  // Relative, because the window loads the files from its own scheme and the HTTP host from its root.
  base: './',
  // Help is the pages of docs.
  server: { port: 1420, strictPort: true, fs: { allow: ['..'] } },
  build: {
    // WebKitGTK 2.42 and WKWebView of macOS 13 understand what Safari 16.4 does.
    target: 'safari16.4',
    sourcemap: false,
    // The CSP allows fonts and images from 'self' only: nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The license texts are a megabyte, and are read when somebody asks for them.
    chunkSizeWarningLimit: 1500,
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    // A document and the modules once for each worker, not once for each file: a ninth of the time. What a test leaves
    // in a module is seen by the next file, so it cleans up.
    isolate: false,
    maxWorkers: '100%',
  },
});
