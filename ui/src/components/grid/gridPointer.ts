import type { MouseEvent, PointerEvent } from 'react';

import { isMac } from '../../values/shortcuts';
import {
  addRange,
  type CellPosition,
  type GridBounds,
  type GridSelection,
  selectCell,
  selectedRange,
} from './selection';

interface PointerContext {
  selection: GridSelection;
  bounds: GridBounds;
  select(selection: GridSelection): void;
  /** A heading selects its column, and Ctrl adds ranges; in a grid that is not edited a heading sorts. */
  isEditable: boolean;
}

/** The column of the heading that the pointer is on. */
export function findHeading(event: MouseEvent): number | null {
  const heading = (event.target as HTMLElement).closest<HTMLElement>('[data-heading]')?.dataset['heading'];
  return heading === undefined ? null : Number(heading);
}

function findCell(event: MouseEvent): { row: number; column: number | null } | null {
  const cell = (event.target as HTMLElement).closest<HTMLElement>(
    '[data-column], [role=rowheader], .numbers [data-row]',
  );
  const column = cell?.dataset['column'];
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? null : { row: Number(row), column: column === undefined ? null : Number(column) };
}

/** What the pointer selects: a click alone, Shift from where it began, Ctrl another range beside those there are. */
export function handlePointer({ selection, bounds, select, isEditable }: PointerContext) {
  const lastRow = bounds.rows - 1;
  const lastColumn = bounds.columns - 1;
  const selectBetween = (event: MouseEvent, anchor: CellPosition, active: CellPosition) => {
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    if (event.shiftKey) select({ ...selection, anchor, active });
    else if (mod && isEditable) select(addRange(selection, anchor, active));
    else select({ anchor, active });
  };
  return {
    /** What the menu is about is selected: a cell outside of the selection, or the column of a heading. */
    selectFor(event: MouseEvent): void {
      const column = findHeading(event);
      const cell = findCell(event);
      const { top, bottom, left, right } = selectedRange(selection);
      if (column !== null) {
        select({ anchor: { row: lastRow, column }, active: { row: 0, column } });
      } else if (cell) {
        const at = cell.column ?? left;
        const isInside = [{ top, bottom, left, right }, ...(selection.others ?? [])].some(
          (range) => cell.row >= range.top && cell.row <= range.bottom && at >= range.left && at <= range.right,
        );
        if (!isInside) select(selectCell(cell.row, cell.column ?? 0));
      }
    },
    down(event: PointerEvent): boolean {
      if (event.button !== 0) return false;
      // The corner is for all rows, as in every spreadsheet.
      if ((event.target as HTMLElement).closest('.heads .number')) {
        select({ anchor: { row: 0, column: 0 }, active: { row: lastRow, column: lastColumn } });
        return true;
      }
      const heading = findHeading(event);
      if (isEditable && heading !== null) {
        const from = event.shiftKey ? selection.anchor.column : heading;
        // The first row is the active one: the screen stays at the top.
        selectBetween(event, { row: lastRow, column: from }, { row: 0, column: heading });
        return true;
      }
      const cell = findCell(event);
      if (!cell) return false;
      if (cell.column === null) {
        const from = event.shiftKey ? selection.anchor.row : cell.row;
        selectBetween(event, { row: from, column: 0 }, { row: cell.row, column: lastColumn });
        return true;
      }
      const active = { row: cell.row, column: cell.column };
      selectBetween(event, event.shiftKey ? selection.anchor : active, active);
      return true;
    },
    move(event: PointerEvent): void {
      const cell = event.buttons === 1 ? findCell(event) : null;
      if (!cell || cell.column === null) return;
      if (cell.row === selection.active.row && cell.column === selection.active.column) return;
      select({ ...selection, active: { row: cell.row, column: cell.column } });
    },
  };
}
