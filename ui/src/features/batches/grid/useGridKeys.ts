import type { KeyboardEvent } from 'react';

import { isMac } from '../../../values/shortcuts';
import {
  selectCell,
  type GridBounds,
  moveByEnter,
  isSingleCell,
  moveSelection,
  selectedRange,
  type GridSelection,
  moveByTab,
} from './selection';

/** What the keys of the grid do. */
export interface GridKeys {
  selection: GridSelection;
  bounds: GridBounds;
  select(selection: GridSelection): void;
  /** Null edits the text as it is, anything else replaces it. */
  edit(text: string | null): void;
  clear(): void;
  copy(): void;
  /** Takes the focus for the clipboard's own event. */
  paste(): void;
  /** Steps wider or narrower; 0 makes the column as usual. */
  widen(steps: number): void;
  /** Into the note on the active cell. */
  note(): void;
  /** Tab leaves the grid: until it is used, and after Escape. */
  leaving: boolean;
  leave(leaving: boolean): void;
}

function withMod(event: KeyboardEvent, keys: GridKeys): boolean {
  const { bounds, select, selection } = keys;
  switch (event.key.toLowerCase()) {
    case 'c':
      keys.copy();
      return true;
    case 'v':
      // Not prevented: the paste itself goes to the catcher.
      keys.paste();
      return false;
    case 'a':
      select({
        anchor: { row: 0, column: 0 },
        active: { row: bounds.rows - 1, column: bounds.columns - 1 },
      });
      return true;
    case '.':
      keys.note();
      return true;
    case ' ':
      select({ anchor: { ...selection.anchor, row: 0 }, active: { ...selection.active, row: bounds.rows - 1 } });
      return true;
    default:
      return false;
  }
}

function plain(event: KeyboardEvent, keys: GridKeys): boolean {
  const { selection, bounds, select } = keys;
  switch (event.key) {
    case 'Enter':
      select(moveByEnter(selection, event.shiftKey, bounds));
      return true;
    case 'Tab': {
      const next = keys.leaving ? null : moveByTab(selection, event.shiftKey, bounds);
      if (next) select(next);
      return next !== null;
    }
    case 'F2':
      keys.edit(null);
      return true;
    case 'Delete':
    case 'Backspace':
      keys.clear();
      return true;
    case 'Escape':
      if (!isSingleCell(selectedRange(selection))) select(selectCell(selection.active.row, selection.active.column));
      keys.leave(true);
      return true;
    case ' ':
      if (!event.shiftKey) break;
      select({
        anchor: { row: selection.anchor.row, column: 0 },
        active: { row: selection.active.row, column: bounds.columns - 1 },
      });
      return true;
  }
  if (event.key.length !== 1) return false;
  keys.edit(event.key);
  return true;
}

/** Says whether the key was one of the grid's. */
export function pressGridKey(event: KeyboardEvent, keys: GridKeys): void {
  if (event.nativeEvent.isComposing || event.altKey || keys.bounds.rows === 0) return;
  const mod = isMac() ? event.metaKey : event.ctrlKey;
  if (keys.leaving && !['Tab', 'Shift'].includes(event.key)) keys.leave(false);
  const next = moveSelection(keys.selection, { key: event.key, shift: event.shiftKey, mod }, keys.bounds);
  if (next) keys.select(next);
  else if (!(mod ? withMod(event, keys) : plain(event, keys))) return;
  event.preventDefault();
}
