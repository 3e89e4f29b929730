/** A dialog that closes gives the focus back to where it came from, which may be nowhere: so many looks. */
const FOCUS_CHECKS = 90;
/** In the first looks the grid takes it even from what the dialog gave it back to. */
const FIRST_CHECKS = 10;

/** After a dialog or a button the keyboard is in the grid again. */
export function focusGrid(): void {
  const acted = new AbortController();
  const options = { capture: true, signal: acted.signal };
  for (const event of ['keydown', 'pointerdown']) document.addEventListener(event, () => acted.abort(), options);
  setTimeout(() => returnFocus(acted, FOCUS_CHECKS, true));
}

/** Not while a dialog holds the focus, and not away from where the person went meanwhile. */
function returnFocus(acted: AbortController, looks: number, anywhere: boolean): void {
  const grid = document.querySelector<HTMLElement>('[role="grid"]');
  if (!grid || looks === 0) {
    acted.abort();
    return;
  }
  const held = document.querySelector('[role="dialog"]') !== null;
  const lost = document.activeElement === null || document.activeElement === document.body;
  const takes = anywhere && (looks === FOCUS_CHECKS || !acted.signal.aborted);
  if (!held && (takes || lost)) grid.focus({ preventScroll: true });
  const again = anywhere && (held || looks > FOCUS_CHECKS - FIRST_CHECKS);
  requestAnimationFrame(() => returnFocus(acted, looks - 1, again));
}
