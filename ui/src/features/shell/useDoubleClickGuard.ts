import { useEffect } from 'react';

const CONTROLS = 'button, a, summary, input, [role="option"], [role="menuitem"], [role="tab"]';

/** What a press is on; on a label, what that is of. */
const controlAt = ({ target }: Event) =>
  target instanceof Element ? (target.closest('label')?.control ?? target.closest(CONTROLS)) : null;

/**
 * The second press of a double click counts only for what the first one was on: many people double-click everything,
 * and another view may be there by then with another button in the same place.
 */
export function useDoubleClickGuard(): void {
  useEffect(() => {
    let pressed: Element | null = null;
    // Drawn again it is the same one.
    const isStray = (event: MouseEvent) =>
      event.detail > 1 && controlAt(event) !== pressed && controlAt(event)?.textContent !== pressed?.textContent;
    // The focus stays where the view that came took it.
    const guardFocus = (event: MouseEvent) => isStray(event) && event.preventDefault();
    const guard = (event: MouseEvent) => {
      if (isStray(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
      pressed = controlAt(event);
    };
    document.addEventListener('mousedown', guardFocus, true);
    document.addEventListener('click', guard, true);
    return () => {
      document.removeEventListener('mousedown', guardFocus, true);
      document.removeEventListener('click', guard, true);
    };
  }, []);
}
