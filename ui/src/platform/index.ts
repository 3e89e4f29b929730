import type { Platform } from './types';

export { type DeskLink, type DroppedFile, OperationError, type Platform } from './types';

/** Chosen when it runs: the window names itself, anything else is the HTTP host. Only one of the two is loaded. */
export async function choosePlatform(): Promise<Platform> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).tauriPlatform();
  return (await import('./http')).httpPlatform();
}
