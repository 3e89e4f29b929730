/** Keyboard shortcuts, written once as `Mod+Shift+P`; Mod is Ctrl, on macOS Cmd. */

export function isMac(): boolean {
  return typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);
}

const KEY_SYMBOLS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** `Mod+Shift+P` as people read it: `Ctrl+Shift+P`. */
export function formatShortcut(shortcut: string, mac = isMac()): string {
  return shortcut
    .split('+')
    .map((part) => (part === 'Mod' ? (mac ? 'Cmd' : 'Ctrl') : (KEY_SYMBOLS[part] ?? part)))
    .join('+');
}

/** The same for `aria-keyshortcuts`. */
export function ariaShortcut(shortcut: string, mac = isMac()): string {
  return shortcut.replace('Mod', mac ? 'Meta' : 'Control');
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export function matchesShortcut(event: KeyPress, shortcut: string, mac = isMac()): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const mod = parts.includes('Mod');
  if (
    event.altKey !== parts.includes('Alt') ||
    (mac ? event.metaKey : event.ctrlKey) !== mod ||
    (mac ? event.ctrlKey : event.metaKey)
  )
    return false;
  // A question mark needs Shift on most keyboards: the sign says it all.
  if (key !== '?' && event.shiftKey !== parts.includes('Shift')) return false;
  return event.key.toLowerCase() === key.toLowerCase();
}
