import { memo } from 'react';

import type { CellMark, RowView } from '../../../bindings/operations';
import { type BordereauColumn, isAmountField } from '../bordereauFields';
import { formatCount } from '../../../values/count';

interface Props {
  index: number;
  row: RowView | undefined;
  columns: BordereauColumn[];
  /** Columns on the screen, from the first to behind the last. */
  from: number;
  to: number;
  /** Pixels below the top of the body. */
  top: number;
  /** Columns selected in this row, or null. */
  left: number | null;
  right: number | null;
  /** Column with the keyboard in this row, or null. */
  active: number | null;
}

export function cellId(index: number, column: number): string {
  return `cell-${index}-${column}`;
}

/** The worse of the marks on a cell; null for a row stands for the row itself. */
export function markOf(row: RowView | undefined, column: number | null): CellMark | undefined {
  const marks = row?.marks.filter((mark) => mark.column === column) ?? [];
  return marks.find((mark) => mark.severity === 'error') ?? marks.find((mark) => mark.severity !== 'kept') ?? marks[0];
}

/** Columns on the screen, and the one with the keyboard: screen readers are never pointed at nothing. */
function placesOf({ columns, from, to, active }: Props): number[] {
  const places = Array.from({ length: Math.max(0, Math.min(to, columns.length) - from) }, (_, step) => from + step);
  if (active !== null && active < columns.length && (active < from || active >= to)) places.push(active);
  return places;
}

/**
 * Rows are kept while they only move, and one that scrolls out becomes one that scrolls in: a cell then changes its
 * text and nothing else. So what differs from row to row is told by the row, not by each cell.
 */
export const GridRow = memo(function GridRow(props: Props) {
  const { index, row, columns, top, left, right, active } = props;
  const own = markOf(row, null);
  return (
    // Keys and the pointer are handled by the grid, which holds the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={row?.excluded ? 'row out' : 'row'}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="rowheader" aria-colindex={1} className="number">
        {own && <span className="only-read">{own.severity}, </span>}
        {row?.excluded && <span className="only-read">excluded, </span>}
        {row ? formatCount(row.line) : ''}
      </div>
      {placesOf(props).map((place) => {
        const column = columns[place];
        if (!column) return null;
        const mark = row && row.marks.length > 0 ? markOf(row, column.column) : undefined;
        const picked = left !== null && right !== null && place >= left && place <= right;
        let names = isAmountField(column.field ?? '') ? 'cell num' : 'cell';
        if (mark) names += ` ${mark.severity}`;
        if (picked) names += ' picked';
        if (active === place) names += ' active';
        if (row?.changed.includes(column.column)) names += ' changed';
        return (
          <div
            key={column.column}
            id={active === place ? cellId(index, place) : undefined}
            role="gridcell"
            aria-colindex={place + 2}
            aria-selected={picked || active === place}
            // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- A global attribute of ARIA 1.3.
            aria-description={row?.changed.includes(column.column) ? 'changed' : undefined}
            aria-invalid={mark?.severity === 'error' ? true : undefined}
            data-column={place}
            className={names}
            style={{ gridColumn: place + 2 }}
          >
            {mark && <span className="only-read">{mark.severity}: </span>}
            {row?.cells[column.cell] ?? ''}
          </div>
        );
      })}
    </div>
  );
});

interface NumberProps {
  index: number;
  row: RowView | undefined;
  top: number;
}

/**
 * The number of a row at the left edge, for the eye: it stays there while the columns scroll. All of them stick as
 * one, because the web view draws each thing that sticks apart; the row has its own for screen readers beneath.
 */
export const EdgeNumber = memo(function EdgeNumber({ index, row, top }: NumberProps) {
  const own = markOf(row, null);
  return (
    <div
      data-row={index}
      className={own ? `number ${own.severity}` : 'number'}
      style={{ transform: `translateY(${top}px)` }}
    >
      {row ? formatCount(row.line) : ''}
    </div>
  );
});
