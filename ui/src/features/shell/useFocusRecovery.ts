import { useEffect } from 'react';

import { isFocusLost, findNearby, type ElementPath, recordPath } from '../../values/focus';

/** A list or dialog that closes gives the focus back within a frame or two; it is not taken from it. */
const RETURN_MS = 50;
/** How long to wait for a button that is disabled while it works. */
const WORKING_MS = 400;

/**
 * When what has the focus is removed or switched off, the browser drops the focus to the page: a screen reader
 * begins at the top again. It is put on what took the place instead.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    let last: ElementPath | null = null;
    /** The last one that was in no dialog or list over the page. */
    let below: ElementPath | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = recordPath(target);
      if (target.closest('#root')) below = last;
    };
    const put = () => {
      if (!isFocusLost()) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
      const from = dialog ? last : below;
      const same = from && isFocusable(from.element) ? from.element : null;
      const near = same ?? (from && findNearby(from));
      const next = dialog && !dialog.contains(near) ? dialog : (near ?? document.querySelector<HTMLElement>('main h1'));
      next?.focus();
    };
    const look = () => {
      if (!last || isFocusable(last.element) || !isFocusLost()) return;
      // A dialog that stays open would at once put it on its first button, which closes it.
      if (!last.element.isConnected && isInOpenDialog(last)) return findNearby(last)?.focus();
      const wait = last.element.isConnected ? WORKING_MS : RETURN_MS;
      clearTimeout(timer);
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          clearTimeout(timer);
          timer = setTimeout(put, wait);
        }),
      );
    };
    const seen = new MutationObserver(look);
    seen.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', remember);
    return () => {
      clearTimeout(timer);
      seen.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

function isInOpenDialog({ ancestors }: ElementPath): boolean {
  return ancestors.some(({ parent }) => parent.isConnected && parent.matches('[role="dialog"]'));
}

function isFocusable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled');
}
