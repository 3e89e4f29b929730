/** Moves the focus when the focused element was removed. */

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Nothing has the focus: the browser has put it on the page itself. */
export function isFocusLost(): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || at === document.documentElement;
}

/** An element and its way up, nearest first: each parent with the place of the child that led there. */
export interface ElementPath {
  element: HTMLElement;
  ancestors: { parent: Element; at: number }[];
}

export function recordPath(element: HTMLElement): ElementPath {
  const ancestors: ElementPath['ancestors'] = [];
  for (let child: Element = element; child.parentElement; child = child.parentElement)
    ancestors.push({ parent: child.parentElement, at: [...child.parentElement.children].indexOf(child) });
  return { element, ancestors };
}

/**
 * What is where the element was: behind it, else before it, in the nearest parent that is still there and not
 * as large as a view. Null when nothing near is left.
 */
export function findNearby({ element, ancestors }: ElementPath): HTMLElement | null {
  for (const { parent, at } of ancestors) {
    if (parent.matches('main, .view, body')) return null;
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const found =
      findTabbable(children.slice(at)).find((each) => each !== element) ?? findTabbable(children.slice(0, at)).at(-1);
    if (found && found !== element) return found;
  }
  return null;
}

function findTabbable(roots: Element[]): HTMLElement[] {
  return roots
    .flatMap((root) => [root, ...root.querySelectorAll(TABBABLE)])
    .filter(
      // A dialog has a tabindex of -1 itself, and what is in it is reached by Tab.
      (each) =>
        each instanceof HTMLElement &&
        each.matches(TABBABLE) &&
        !each.matches('[tabindex="-1"]') &&
        !each.closest('[hidden]'),
    )
    .map((each) => each as HTMLElement);
}

/** Parts of the window that F6 goes through carry `data-part`; one that names its first element says so. */
export function focusNextPart(back: boolean): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')];
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const from = at < 0 && back ? 0 : at;
  const order = parts.map((_, step) => (from + (back ? -1 - step : 1 + step) + 2 * parts.length) % parts.length);
  for (const index of order) {
    const part = parts[index];
    const first =
      part && (part.querySelector<HTMLElement>('[aria-current="page"], h1, [data-first]') ?? firstTabbable(part));
    if (!first) continue;
    first.focus();
    if (document.activeElement === first) return;
  }
}

function firstTabbable(part: HTMLElement): HTMLElement | undefined {
  return part.matches(TABBABLE) ? part : findTabbable([...part.children])[0];
}
