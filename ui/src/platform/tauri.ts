import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';

import { asOperationError, type DeskLink, type DroppedFile, type Platform } from './types';

/** Every listening that was begun: what the program was started with is opened only when all of it is there. */
const begun: Promise<unknown>[] = [];

/** Listens to an event of the shell until the returned function is called. */
function listenToEvent<T>(name: string, handle: (payload: T) => void): () => void {
  const listening = listen<T>(name, (event) => handle(event.payload));
  // A shell without this event simply has no drops.
  begun.push(listening.catch(() => undefined));
  return () => void listening.then((end) => end()).catch(() => undefined);
}

export function tauriPlatform(): Platform {
  return {
    kind: 'tauri',
    call: async (operation, request) => {
      try {
        return await invoke('call', { op: operation, request });
      } catch (thrown) {
        throw asOperationError(operation, thrown);
      }
    },
    onDrop: (dropped) =>
      listenToEvent<{ files: DroppedFile[] }>('bordereau://dropped', (payload) => dropped(payload.files)),
    onDrag: (over) => listenToEvent<{ over: boolean }>('bordereau://drag', (payload) => over(payload.over)),
    onLink: (follow) => {
      const end = listenToEvent<DeskLink>('bordereau://link', follow);
      void Promise.all(begun).then(() => invoke('ui_ready', { stage: 'opens' }).catch(() => undefined));
      return end;
    },
    // The page's own `print` waits until nothing is requested any more, and something is always requested.
    print: () => invoke('plugin:webview|print'),
    ready: () => {
      // The shell shows the window after a time limit anyway: nothing to do when it does not listen.
      invoke('ui_ready', { stage: 'view' }).catch(() => undefined);
    },
  };
}
