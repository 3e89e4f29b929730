import { memo } from 'react';

import type { CellMark, RowView } from '../../../bindings/operations';
import { type GridColumn, isNumeric } from '../fields';
import type { Range } from './selection';

interface Props {
  index: number;
  row: RowView | undefined;
  columns: GridColumn[];
  top: number;
  /** Columns selected in this row, or null. */
  left: number | null;
  right: number | null;
  /** Column with the keyboard in this row, or null. */
  active: number | null;
}

const COUNT = new Intl.NumberFormat('en-US');

export function cellId(index: number, column: number): string {
  return `cell-${index}-${column}`;
}

/** The worse of the marks on a cell; null for a row stands for the row itself. */
export function markOf(row: RowView | undefined, column: number | null): CellMark | undefined {
  const marks = row?.marks.filter((mark) => mark.column === column) ?? [];
  return marks.find((mark) => mark.severity === 'error') ?? marks[0];
}

/** Rows are kept while they only move: scrolling draws the new ones. */
export const GridRow = memo(function GridRow({ index, row, columns, top, left, right, active }: Props) {
  const own = markOf(row, null);
  return (
    // Keys and the pointer are handled by the grid, which holds the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="row" aria-rowindex={index + 2} className={`row ${row?.excluded ? 'out' : ''}`} style={{ top }}>
      <div role="rowheader" aria-colindex={1} data-row={index} className={`number ${own ? own.severity : ''}`}>
        {own && <span className="only-read">{own.severity}, </span>}
        {row?.excluded && <span className="only-read">left out, </span>}
        {row ? COUNT.format(row.line) : ''}
      </div>
      {columns.map((column, place) => {
        const mark = markOf(row, column.column);
        const picked = left !== null && right !== null && place >= left && place <= right;
        const names = [
          'cell',
          isNumeric(column.field ?? '') ? 'num' : '',
          mark?.severity ?? '',
          picked ? 'picked' : '',
          active === place ? 'active' : '',
          row?.changed.includes(column.column) ? 'changed' : '',
        ];
        return (
          <div
            key={column.column}
            id={cellId(index, place)}
            role="gridcell"
            aria-colindex={place + 2}
            aria-selected={picked || active === place}
            aria-invalid={mark?.severity === 'error' ? true : undefined}
            data-row={index}
            data-column={place}
            className={names.filter(Boolean).join(' ')}
          >
            {mark && <span className="only-read">{mark.severity}: </span>}
            {row?.cells[column.cell] ?? ''}
          </div>
        );
      })}
    </div>
  );
});

/** The part of a selection that is in a row. */
export function inRow(range: Range, index: number): { left: number | null; right: number | null } {
  const inside = index >= range.top && index <= range.bottom;
  return inside ? { left: range.left, right: range.right } : { left: null, right: null };
}
