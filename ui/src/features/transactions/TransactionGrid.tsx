import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

import type { TransactionSort, TransactionsSearch } from '../../bindings/operations';
import { copyFormattedText, formatTableForCopy } from '../../components/clipboard';
import {
  selectCell,
  selectedColumns,
  isSingleCell,
  moveSelection,
  selectedRange,
  type GridSelection,
  clampSelection,
} from '../../components/grid/selection';
import { useRowOrder } from '../../components/grid/useRowOrder';
import { scrollOffsetFor, computeRowWindow } from '../../components/grid/rowWindow';
import { ErrorBox } from '../../components/ErrorBox';
import { useAppearance } from '../../operations/useAppearance';
import { useToasts } from '../../operations/toasts';
import { isMac } from '../../values/shortcuts';
import type { TransactionColumn } from './transactionColumns';
import { MAX_COPIED_ROWS, useTransactionRows } from './useIndexQueries';
import { transactionCellId, TransactionGridRow } from './TransactionGridRow';
import { formatCount } from '../../values/count';

const ROW = 27;
const HEAD = 31;

interface Props {
  search: TransactionsSearch;
  columns: TransactionColumn[];
  selection: GridSelection;
  onSelect(selection: GridSelection): void;
  onSort(sort: TransactionSort): void;
  /** Opens the transaction of a row. */
  onOpen(id: string): void;
  /** How many rows there are; null until the first answer. */
  onTotal(total: number | null): void;
}

/** Any number of transactions: only those in sight are in the document. The focus stays on the table itself. */
export function TransactionGrid({ search, columns, selection, onSelect, onSort, onOpen, onTotal }: Props) {
  const zoom = useAppearance().settings.zoom / 100;
  const rowHeight = Math.round(ROW * zoom);
  const headHeight = Math.round(HEAD * zoom);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrolled(scroller, headHeight);
  const [expected, setExpected] = useState(0);
  const viewport = { scroll: view.top, height: view.height, row: rowHeight };
  const shown = computeRowWindow(viewport, expected);
  const rows = useTransactionRows(search, shown.first, shown.end);
  const { total } = rows;
  if (expected !== total) setExpected(total);
  const told = rows.ready ? rows.total : null;
  useEffect(() => onTotal(told), [onTotal, told]);
  const { showToast } = useToasts();
  const bounds = {
    rows: total,
    columns: columns.length,
    page: Math.max(1, Math.floor(view.height / rowHeight) - 1),
  };
  const { active } = clampSelection(selection, bounds);
  const range = selectedRange(clampSelection(selection, bounds));
  useReveal(scroller, `${active.row} ${active.column}`, (box) => {
    const top = total === 0 ? null : scrollOffsetFor(active.row, { ...viewport, scroll: box.scrollTop }, total);
    if (top !== null) box.scrollTop = top;
    const cell = document.getElementById(transactionCellId(active.row, active.column));
    if (!cell) return;
    if (cell.offsetLeft < box.scrollLeft) box.scrollLeft = cell.offsetLeft;
    const over = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
    if (over > box.scrollLeft) box.scrollLeft = over;
  });
  const copy = async () => {
    const bottom = Math.min(range.bottom, range.top + MAX_COPIED_ROWS - 1);
    const picked = columns.slice(range.left, range.right + 1);
    const found = await rows.load(range.top, bottom);
    const cells = found.map((row) => picked.map((column) => column.text(row).replace('\u2212', '-')));
    const lines = isSingleCell(range) ? cells : [picked.map((column) => column.title), ...cells];
    const { text, html } = formatTableForCopy(lines, !isSingleCell(range));
    if (await copyFormattedText(text, html)) {
      showToast(isSingleCell(range) ? 'Copied.' : `Copied ${formatCount(found.length)} rows with headings.`);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || total === 0) return;
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    const next = moveSelection(
      clampSelection(selection, bounds),
      { key: event.key, shift: event.shiftKey, mod },
      bounds,
    );
    if (next) onSelect(next);
    else if (mod && event.key.toLowerCase() === 'c') void copy();
    else if (mod && event.key.toLowerCase() === 'a')
      onSelect({ anchor: { row: 0, column: 0 }, active: { row: total - 1, column: columns.length - 1 } });
    else if (event.key === ' ' && event.shiftKey)
      onSelect({ anchor: { row: range.top, column: 0 }, active: { row: range.bottom, column: columns.length - 1 } });
    else if (event.key === 'Enter' && !mod) open(active.row);
    else if (event.key === 'Escape' && !isSingleCell(range)) onSelect(selectCell(active.row, active.column));
    else return;
    event.preventDefault();
  };
  const open = (index: number) => {
    const row = rows.row(index);
    if (row) onOpen(row.id);
  };
  const spotOf = (event: PointerEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-column]');
    const column = cell?.dataset['column'];
    const row = cell?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    return row === undefined || column === undefined ? null : { row: Number(row), column: Number(column) };
  };
  const onPointer = (event: PointerEvent, drag: boolean) => {
    const spot = (drag ? event.buttons === 1 : event.button === 0) ? spotOf(event) : null;
    if (!spot) return;
    if (!drag) {
      event.preventDefault();
      scroller.current?.focus({ preventScroll: true });
    }
    onSelect({ anchor: drag || event.shiftKey ? selection.anchor : spot, active: spot });
  };
  const inSight = Array.from(
    { length: Math.max(0, Math.min(shown.end, total) - shown.first) },
    (_, step) => shown.first + step,
  );
  // The active row stays in the document, so that screen readers are never pointed at nothing.
  const apart = total > 0 && !inSight.includes(active.row) ? active.row : null;
  const ordered = useRowOrder(inSight, shown.slots);
  const indices = apart === null ? ordered : [...ordered, apart];
  const template = columns.map(({ width }, place) =>
    place === columns.length - 1 ? `minmax(${Math.round(width * zoom)}px, 1fr)` : `${Math.round(width * zoom)}px`,
  );
  const wide = columns.reduce((sum, column) => sum + Math.round(column.width * zoom), 0);
  return (
    <>
      {rows.error && <ErrorBox error={rows.error} />}
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        className="tx-grid"
        aria-label="Transactions"
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-activedescendant={total > 0 ? transactionCellId(active.row, active.column) : undefined}
        style={{ ['--columns' as string]: template.join(' '), ['--row-height' as string]: `${rowHeight}px` }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => onPointer(event, false)}
        onPointerMove={(event) => onPointer(event, true)}
        onDoubleClick={() => open(active.row)}
      >
        <div
          role="presentation"
          className="tx-canvas"
          style={{ height: shown.contentHeight + headHeight, minWidth: wide }}
        >
          <Heads columns={columns} search={search} height={headHeight} onSort={onSort} />
          <div role="rowgroup" className="tx-rows" style={{ transform: `translateY(${shown.base}px)` }}>
            {indices.map((index) => (
              <TransactionGridRow
                // The one that scrolls out is the one that scrolls in.
                key={index === apart ? 'active' : index % shown.slots}
                index={index}
                row={rows.row(index)}
                columns={columns}
                top={shown.rowOffset(index)}
                {...selectedColumns(range, index)}
                active={active.row === index ? active.column : null}
              />
            ))}
          </div>
        </div>
      </div>
    </>
  );
}

interface HeadsProps {
  columns: TransactionColumn[];
  search: TransactionsSearch;
  height: number;
  onSort(sort: TransactionSort): void;
}

function Heads({ columns, search, height, onSort }: HeadsProps) {
  return (
    <div role="rowgroup" className="tx-heads" style={{ height }}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div role="row" aria-rowindex={1} className="tx-row">
        {columns.map(({ name, title, numeric, sort }, place) => {
          const sorted = sort !== undefined && sort === search.sort;
          const order = search.ascending ? 'ascending' : 'descending';
          return (
            <div
              key={name}
              role="columnheader"
              aria-colindex={place + 1}
              aria-sort={sorted ? order : undefined}
              className={`tx-cell ${numeric ? 'num' : ''}`}
            >
              {sort === undefined ? (
                title
              ) : (
                // By keyboard the order is chosen above the table.
                <button type="button" tabIndex={-1} onClick={() => onSort(sort)}>
                  {title}
                  {sorted && <span aria-hidden="true">{search.ascending ? ' ▲' : ' ▼'}</span>}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls to the active cell after it moved, not while the person scrolls away from it. */
function useReveal(scroller: { current: HTMLElement | null }, place: string, reveal: (box: HTMLElement) => void): void {
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place || !scroller.current) return;
    before.current = place;
    reveal(scroller.current);
  });
}

function useScrolled(scroller: { current: HTMLElement | null }, head: number): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const read = () => setView({ top: element.scrollTop, height: Math.max(0, element.clientHeight - head) });
    read();
    element.addEventListener('scroll', read, { passive: true });
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(read);
    resized?.observe(element);
    return () => {
      element.removeEventListener('scroll', read);
      resized?.disconnect();
    };
  }, [scroller, head]);
  return view;
}
