/** Keyboard shortcuts, written once as `Mod+Shift+P`; Mod is Ctrl, on macOS Cmd. */

export function onMac(): boolean {
  return typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);
}

const SIGNS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** `Mod+Shift+P` as people read it: `Ctrl Shift P`. */
export function showKeys(shortcut: string, mac = onMac()): string {
  return shortcut
    .split('+')
    .map((part) => (part === 'Mod' ? (mac ? 'Cmd' : 'Ctrl') : (SIGNS[part] ?? part)))
    .join(' ');
}

/** The same for `aria-keyshortcuts`. */
export function ariaKeys(shortcut: string, mac = onMac()): string {
  return shortcut.replace('Mod', mac ? 'Meta' : 'Control');
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export function pressed(event: KeyPress, shortcut: string, mac = onMac()): boolean {
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
