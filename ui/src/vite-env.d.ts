/// <reference types="vite/client" />

/** Made by vite.config.ts from what ships. */
declare module 'virtual:license-notices' {
  const text: string;
  export default text;
}
