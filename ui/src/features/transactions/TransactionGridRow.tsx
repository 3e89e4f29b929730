import { memo } from 'react';

import type { TransactionRow } from '../../bindings/operations';
import type { TransactionColumn } from './transactionColumns';

interface Props {
  index: number;
  row: TransactionRow | undefined;
  columns: TransactionColumn[];
  /** Pixels below the top of the rows. */
  top: number;
  /** Columns selected in this row, or null. */
  left: number | null;
  right: number | null;
  /** Column with the keyboard in this row, or null. */
  active: number | null;
}

export const transactionCellId = (row: number, column: number) => `tx-${row}-${column}`;

/** Rows are kept while they only move, and one that scrolls out becomes one that scrolls in. */
export const TransactionGridRow = memo(function TableRow({ index, row, columns, top, left, right, active }: Props) {
  return (
    // Keys and the pointer are handled by the table, which holds the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={row?.overdue ? 'tx-row overdue' : 'tx-row'}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column, place) => {
        const isActive = active === place;
        const picked = left !== null && right !== null && place >= left && place <= right;
        let names = column.numeric ? 'tx-cell num' : 'tx-cell';
        if (picked) names += ' picked';
        if (isActive) names += ' active';
        return (
          <div
            key={column.name}
            id={isActive ? transactionCellId(index, place) : undefined}
            role="gridcell"
            aria-colindex={place + 1}
            aria-selected={picked || isActive}
            data-column={place}
            data-name={column.name}
            className={names}
          >
            {column.name === 'due' && row?.overdue && <span className="only-read">overdue: </span>}
            {row ? column.text(row) : ''}
          </div>
        );
      })}
    </div>
  );
});
