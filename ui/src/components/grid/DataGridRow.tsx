import { memo } from 'react';

import { isColumnSelected } from './selection';

export interface GridColumn {
  key: string | number;
  isNumeric: boolean;
}

/** What a cell shows; what is the same for a row is in the row. */
export interface CellContent {
  text: string;
  /** Read out before the text, such as `error: `. */
  prefix?: string | undefined;
  className?: string | undefined;
  /** For styles of one column. */
  name?: string;
  isInvalid?: boolean;
  /** What opens at the cell with the keyboard. */
  popup?: 'listbox' | 'dialog' | undefined;
  description?: string | undefined;
}

export interface RowContent {
  className?: string | undefined;
  /** The number at the left edge, in grids that have one. */
  number?: { text: string; prefix: string; className: string };
}

interface Props<R> {
  index: number;
  row: R | undefined;
  columns: readonly GridColumn[];
  hasNumbers: boolean;
  /** Columns on the screen, from the first to behind the last. */
  from: number;
  to: number;
  /** Columns at the left that stay. */
  frozen: number;
  /** Left edge of each column. */
  lefts: readonly number[];
  /** Pixels below the top of the body. */
  top: number;
  /** Columns selected in this row, as `selectedColumns` writes them. */
  selected: string;
  /** Column with the keyboard in this row, or null. */
  active: number | null;
  describeRow(row: R | undefined): RowContent;
  describeCell(row: R | undefined, place: number): CellContent;
}

export function cellId(index: number, column: number): string {
  return `cell-${index}-${column}`;
}

/** Columns on the screen, and the one with the keyboard: screen readers are never pointed at nothing. */
export function findPlaces(count: number, from: number, to: number, frozen: number, active: number | null): number[] {
  const places = Array.from({ length: Math.min(frozen, from) }, (_, place) => place);
  for (let place = from; place < Math.min(to, count); place += 1) places.push(place);
  if (active !== null && active < count && !places.includes(active)) places.push(active);
  return places;
}

function Row<R>(props: Props<R>) {
  const { index, row, columns, hasNumbers, from, to, frozen, lefts, top, selected, active, describeRow } = props;
  const own = describeRow(row);
  const first = hasNumbers ? 2 : 1;
  return (
    // Keys and the pointer are handled by the grid, which holds the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={own.className ? `row ${own.className}` : 'row'}
      style={{ transform: `translateY(${top}px)` }}
    >
      {hasNumbers && (
        <div role="rowheader" aria-colindex={1} className="number">
          {own.number?.prefix && <span className="only-read">{own.number.prefix}</span>}
          {own.number?.text}
        </div>
      )}
      {findPlaces(columns.length, from, to, frozen, active).map((place) => {
        const column = columns[place];
        if (!column) return null;
        const content = props.describeCell(row, place);
        const isPicked = isColumnSelected(selected, place);
        const isActive = active === place;
        let names = column.isNumeric ? 'cell num' : 'cell';
        if (content.className) names += ` ${content.className}`;
        if (isPicked) names += ' picked';
        if (isActive) names += ' active';
        const isFrozen = place < frozen;
        if (isFrozen) names += ' frozen';
        return (
          <div
            key={column.key}
            id={isActive ? cellId(index, place) : undefined}
            role="gridcell"
            aria-colindex={place + first}
            aria-selected={isPicked || isActive}
            // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- A global attribute of ARIA 1.3.
            aria-description={content.description}
            aria-haspopup={isActive ? content.popup : undefined}
            aria-invalid={content.isInvalid ? true : undefined}
            data-column={place}
            data-name={content.name}
            className={names}
            style={isFrozen ? { gridColumn: place + first, left: lefts[place] } : { gridColumn: place + first }}
          >
            {content.prefix && <span className="only-read">{content.prefix}</span>}
            {content.text}
          </div>
        );
      })}
    </div>
  );
}

/**
 * Rows are kept while they only move, and one that scrolls out becomes one that scrolls in: a cell then changes its
 * text and nothing else.
 */
export const DataGridRow = memo(Row) as typeof Row;

interface NumberProps<R> {
  index: number;
  row: R | undefined;
  top: number;
  describeRow(row: R | undefined): RowContent;
}

function RowNumber<R>({ index, row, top, describeRow }: NumberProps<R>) {
  const { number } = describeRow(row);
  return (
    <div
      data-row={index}
      className={number?.className ? `number ${number.className}` : 'number'}
      style={{ transform: `translateY(${top}px)` }}
    >
      {number?.text}
    </div>
  );
}

/**
 * The number of a row at the left edge, for the eye: it stays there while the columns scroll. All of them stick as
 * one, because the web view draws each thing that sticks apart; the row has its own for screen readers beneath.
 */
export const EdgeNumber = memo(RowNumber) as typeof RowNumber;
