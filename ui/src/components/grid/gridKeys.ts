import type { KeyboardEvent } from 'react';

import {
  type GridBounds,
  type GridSelection,
  isSingleCell,
  moveByEnter,
  moveByTab,
  moveSelection,
  selectCell,
  selectedRange,
} from './selection';

interface KeyContext {
  selection: GridSelection;
  bounds: GridBounds;
  select(selection: GridSelection): void;
  /** Enter and Tab go from cell to cell, as in a spreadsheet. */
  isEditable: boolean;
  /** Tab leaves the grid: until it is used, and after Escape. */
  isLeaving: boolean;
  leave(): void;
}

/** Handles a key that moves or changes the selection; false for any other key. */
export function pressSelectionKey(event: KeyboardEvent, mod: boolean, context: KeyContext): boolean {
  const { selection, bounds, select, isEditable, isLeaving } = context;
  const last = { row: bounds.rows - 1, column: bounds.columns - 1 };
  const next = moveSelection(selection, { key: event.key, shift: event.shiftKey, mod }, bounds);
  if (next) {
    select(next);
    return true;
  }
  if (mod && !event.shiftKey && event.key.toLowerCase() === 'a') {
    select({ anchor: { row: 0, column: 0 }, active: last });
    return true;
  }
  if (event.key === ' ' && mod) {
    select({ ...selection, anchor: { ...selection.anchor, row: 0 }, active: { ...selection.active, row: last.row } });
    return true;
  }
  if (event.key === ' ' && event.shiftKey) {
    select({
      ...selection,
      anchor: { ...selection.anchor, column: 0 },
      active: { ...selection.active, column: last.column },
    });
    return true;
  }
  if (mod) return false;
  if (event.key === 'Escape') {
    const isWide = !isSingleCell(selectedRange(selection)) || selection.others !== undefined;
    if (isWide) select(selectCell(selection.active.row, selection.active.column));
    context.leave();
    return isWide || isEditable;
  }
  if (!isEditable) return false;
  if (event.key === 'Enter') {
    select(moveByEnter(selection, event.shiftKey, bounds));
    return true;
  }
  if (event.key !== 'Tab' || isLeaving) return false;
  const following = moveByTab(selection, event.shiftKey, bounds);
  if (following) select(following);
  return following !== null;
}
