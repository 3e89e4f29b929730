import { expect, test } from 'vitest';

import { ariaShortcut, matchesShortcut, formatShortcut } from './shortcuts';

const key = (name: string, ...held: ('ctrl' | 'meta' | 'shift' | 'alt')[]) => ({
  key: name,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  shiftKey: held.includes('shift'),
  altKey: held.includes('alt'),
});

test.each([
  [key('k', 'ctrl'), 'Mod+K', false, true],
  [key('K', 'ctrl', 'shift'), 'Mod+K', false, false],
  [key('P', 'ctrl', 'shift'), 'Mod+Shift+P', false, true],
  [key('k', 'meta'), 'Mod+K', true, true],
  [key('k', 'ctrl'), 'Mod+K', true, false],
  [key('k', 'ctrl', 'alt'), 'Mod+K', false, false],
  [key('?', 'shift'), '?', false, true],
  [key(',', 'ctrl'), 'Mod+,', false, true],
  [key('Enter'), 'Mod+Enter', false, false],
])('%o for %s, on macOS %s: %s', (event, shortcut, mac, expected) => {
  expect(matchesShortcut(event, shortcut, mac)).toBe(expected);
});

test('keys are named as on the keyboard', () => {
  expect(formatShortcut('Mod+Shift+P', false)).toBe('Ctrl+Shift+P');
  expect(formatShortcut('Mod+Shift+P', true)).toBe('Cmd+Shift+P');
  expect(ariaShortcut('Mod+S', false)).toBe('Control+S');
});
