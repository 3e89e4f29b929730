import { ErrorBox } from '../../components';
import { type KeyboardEvent, useCallback, useEffect, useMemo } from 'react';

import type {
  TransactionColumnInfo,
  TransactionRow,
  TransactionSort,
  TransactionsSearch,
} from '../../bindings/operations';
import { copyFormattedText, formatTableForCopy } from '../../components/clipboard';
import { DataGrid } from '../../components/grid/DataGrid';
import { clampSelection, type GridSelection, isSingleCell, selectedRange } from '../../components/grid/selection';
import { useGridWindow } from '../../components/grid/useGridWindow';
import { useToasts } from '../../operations';
import { pluralize } from '../../values';
import { columnWidth, formatCell, isNumericColumn } from './transactionColumns';
import { useTransactionRows } from './useIndexQueries';

interface Props {
  search: TransactionsSearch;
  columns: TransactionColumnInfo[];
  selection: GridSelection;
  onSelect(selection: GridSelection): void;
  onSort(sort: TransactionSort): void;
  /** Opens the transaction of a row. */
  onOpen(id: string): void;
  /** How many rows there are; null until the first answer. */
  onTotal(total: number | null): void;
}

/** Any number of transactions: only those in sight are in the document. */
export function TransactionGrid({ search, columns, selection, onSelect, onSort, onOpen, onTotal }: Props) {
  const gridWindow = useGridWindow(0);
  const { shown, zoom } = gridWindow;
  const rows = useTransactionRows(search, shown.first, shown.end);
  const total = rows.total ?? 0;
  if (gridWindow.total !== total) gridWindow.setTotal(total);
  useEffect(() => onTotal(rows.total), [onTotal, rows.total]);
  const { showToast } = useToasts();
  const current = clampSelection(selection, { rows: total, columns: columns.length, page: 1 });
  const range = selectedRange(current);
  const gridColumns = useMemo(
    () => columns.map((column) => ({ key: column.name, isNumeric: isNumericColumn(column) })),
    [columns],
  );
  const widths = useMemo(() => columns.map((column) => Math.round(columnWidth(column) * zoom)), [columns, zoom]);
  const describeCell = useCallback(
    (row: TransactionRow | undefined, place: number) => {
      const column = columns[place];
      const isOverdue = column?.name === 'due' && row?.overdue;
      return {
        text: row && column ? formatCell(column, row) : '',
        prefix: isOverdue ? 'overdue: ' : undefined,
        name: column?.name ?? '',
      };
    },
    [columns],
  );
  const { sort: sortedBy, ascending } = search;
  const describeHead = useCallback(
    (place: number) => {
      const { title = '', sort = null } = columns[place] ?? {};
      if (sort === null) return { content: title };
      const isSorted = sort === sortedBy;
      return {
        sort: isSorted ? (ascending ? ('ascending' as const) : ('descending' as const)) : undefined,
        // By keyboard the order is chosen above the table.
        content: (
          <button type="button" tabIndex={-1} onClick={() => onSort(sort)}>
            {title}
            {isSorted && <span aria-hidden="true">{ascending ? ' ▲' : ' ▼'}</span>}
          </button>
        ),
      };
    },
    [columns, sortedBy, ascending, onSort],
  );
  const copy = async () => {
    const picked = columns.slice(range.left, range.right + 1);
    const found = await rows.load(range.top, range.bottom);
    const cells = found.map((row) => picked.map((column) => formatCell(column, row).replace('\u2212', '-')));
    const lines = isSingleCell(range) ? cells : [picked.map((column) => column.title), ...cells];
    const { text, html } = formatTableForCopy(lines, !isSingleCell(range));
    const copied = await copyFormattedText(text, html);
    if (!copied) showToast('Couldn’t copy to the clipboard.');
    else showToast(isSingleCell(range) ? 'Copied.' : `Copied ${pluralize(found.length, 'row')} with headings.`);
  };
  const open = () => {
    const row = rows.row(current.active.row);
    if (row) onOpen(row.id);
  };
  const onKey = (event: KeyboardEvent, mod: boolean): boolean => {
    if (mod && event.key.toLowerCase() === 'c') void copy();
    else if (event.key === 'Enter' && !mod) open();
    else return false;
    return true;
  };
  return (
    <>
      {rows.error && <ErrorBox error={rows.error} />}
      <DataGrid
        label="Transactions"
        className="tx-grid"
        gridWindow={gridWindow}
        rows={{ total, rowAt: rows.row }}
        columns={gridColumns}
        widths={widths}
        describeRow={describeRow}
        describeCell={describeCell}
        describeHead={describeHead}
        selection={selection}
        onSelect={onSelect}
        onKey={onKey}
        onActivate={open}
      />
    </>
  );
}

function describeRow(row: TransactionRow | undefined) {
  return { className: row?.overdue ? 'overdue' : undefined };
}
