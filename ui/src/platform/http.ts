import { listenForDrag, listenForDrop } from './drop';
import { asOperationError, OperationError, type Platform } from './types';

/** The token comes with the address (`#token=...`) and leaves it at once; a reload finds it in the session. */
function readToken(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="bordereau-token"]')?.content;
  if (meta) return meta;
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname + location.search);
    return given;
  }
  return sessionStorage.getItem('token') ?? '';
}

export function httpPlatform(): Platform {
  const token = readToken();
  return {
    kind: 'http',
    call: async (operation, request) => {
      let response: Response;
      try {
        response = await fetch(`/op/${operation}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-bordereau-token': token },
          body: JSON.stringify(request),
          // The draft of a page that is closing still arrives.
          keepalive: operation === 'draft_save',
        });
      } catch {
        const message = 'Start it again, then open the address it prints.';
        throw new OperationError(operation, { code: 'core_ended', message, details: [], retryable: true });
      }
      const text = await response.text();
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        body = new Error(`Status ${response.status}: ${text.slice(0, 200)}`);
      }
      if (!response.ok || body instanceof Error) throw asOperationError(operation, body);
      return body as never;
    },
    onDrop: (dropped) => listenForDrop(token, dropped),
    onDrag: listenForDrag,
    print: () => {
      window.print();
      return Promise.resolve();
    },
    ready: () => undefined,
  };
}
