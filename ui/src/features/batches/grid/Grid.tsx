import './grid.css';

import { type ClipboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import { useRowOrder } from '../../../components/grid/useRowOrder';
import { ErrorBox } from '../../../components/ErrorBox';
import { useAppearance } from '../../../operations/useAppearance';
import { formatCount } from '../../../values/count';
import { formatShortcut } from '../../../values/shortcuts';
import { findField, type BordereauColumn, isAmountField } from '../bordereauFields';
import { CellEditor, type EditorExit } from './CellEditor';
import { cellId, EdgeNumber, GridRow } from './GridRow';
import { Heads } from './Heads';
import {
  selectCell,
  type GridBounds,
  moveByEnter,
  selectedColumns,
  selectedRange,
  type GridSelection,
  moveByTab,
} from './selection';
import { type GridKeys, pressGridKey } from './useGridKeys';
import type { ReviewRows } from './useReviewRows';
import { useReviewRows, type ReviewRowsKey } from './useReviewRows';
import { useViewport } from './useViewport';
import { useColumnWidths, WIDTH_STEP } from './useColumnWidths';
import { BLOCK_ROWS, visibleColumns, scrollOffsetFor, computeRowWindow } from './windowing';

const ROW = 27;
const HEAD = 31;
/** Pixels around the screen in which the active cell counts as on it. */
const NEAR = 80;

/** Where the active cell is on the screen, for the note beside it. */
export interface Anchor {
  left: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

interface Props {
  label: string;
  of: ReviewRowsKey;
  /** Rows as far as known before the first page. */
  expected: number;
  columns: BordereauColumn[];
  selection: GridSelection;
  onSelect(selection: GridSelection): void;
  onText(index: number, column: BordereauColumn, text: string): void;
  onClear(rows: ReviewRows): void;
  onCopy(rows: ReviewRows): void;
  onPaste(text: string, rows: ReviewRows): void;
  onNote(): void;
  /** Shown over the grid for the active cell. */
  renderNote(rows: ReviewRows, anchor: Anchor): ReactNode;
  /** Tells the view which rows there are. */
  onRows(rows: ReviewRows): void;
  /** Shown where no row passes the filter. */
  empty: ReactNode;
}

/** A grid of any number of rows: at most sixty of them are in the document. The focus stays on the grid itself. */
export function Grid(props: Props) {
  const { of, columns, selection, onSelect } = props;
  const zoom = useAppearance().settings.zoom / 100;
  const rowHeight = Math.round(ROW * zoom);
  const headHeight = Math.round(HEAD * zoom);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const catcher = useRef<HTMLTextAreaElement>(null);
  const [editing, setEditing] = useState<{ row: number; column: number; text: string; typed: boolean } | null>(null);
  const [leaving, setLeaving] = useState(false);
  const exact = useRef(true);
  const view = useViewport(scroller, { head: headHeight, row: rowHeight, exact });
  const viewport = { scroll: view.top, height: view.height, row: rowHeight };
  const [last, setLast] = useState(props.expected);
  const shown = computeRowWindow(viewport, last);
  const rows = useReviewRows(of, shown.first, shown.end);
  const total = rows.total ?? last;
  if (last !== total) setLast(total);
  // Rows are drawn with their texts, not first without them; those of another filter meanwhile stay.
  const [drawn, draw] = useState(false);
  if (!drawn && rows.total !== null) draw(true);
  const { onRows } = props;
  useEffect(() => onRows(rows));
  const widths = useColumnWidths(columns, zoom);
  const bounds: GridBounds = {
    rows: total,
    columns: columns.length,
    page: Math.max(1, Math.floor(view.height / rowHeight) - 1),
  };
  const numbers = Math.round(numbersWidth(Math.max(total, props.expected)) * zoom);
  const lefts = useMemo(() => edges(widths.pixels, numbers), [widths.pixels, numbers]);
  const leftOf = (column: number) => lefts[Math.min(column, columns.length)] ?? numbers;
  const sides = visibleColumns(lefts, view.left + numbers, Math.max(0, view.width - numbers));
  const { active } = selection;
  useReveal(scroller, selection, () => {
    const element = scroller.current;
    if (!element || bounds.rows === 0) return;
    const top = scrollOffsetFor(active.row, { ...viewport, scroll: element.scrollTop }, total);
    if (top !== null) element.scrollTop = top;
    const left = leftOf(active.column) - numbers;
    const right = leftOf(active.column + 1);
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
  });
  const focus = () => scroller.current?.focus({ preventScroll: true });
  const edit = (text: string | null) => {
    const column = columns[active.column];
    const row = rows.row(active.row);
    if (!column || !row) return;
    onSelect(selectCell(active.row, active.column));
    setEditing({ ...active, text: text ?? row.cells[column.cell] ?? '', typed: text !== null });
  };
  const finish = (text: string, leave: EditorExit) => {
    const column = editing && columns[editing.column];
    const before = editing && column && rows.row(editing.row)?.cells[column.cell];
    if (editing && column && text !== before) props.onText(editing.row, column, text);
    setEditing(null);
    if (leave === 'stay') return;
    focus();
    if (leave === 'down' || leave === 'up') onSelect(moveByEnter(selection, leave === 'up', bounds));
    else onSelect(moveByTab(selection, leave === 'back', bounds) ?? selection);
  };
  const keys: GridKeys = {
    selection,
    bounds,
    select: onSelect,
    edit,
    clear: () => props.onClear(rows),
    copy: () => props.onCopy(rows),
    paste: () => {
      catcher.current?.focus({ preventScroll: true });
      setTimeout(() => document.activeElement === catcher.current && focus(), 200);
    },
    note: props.onNote,
    widen: (step) => widths.set(active.column, step === 0 ? null : widths.of(active.column) + step * WIDTH_STEP),
    leaving,
    leave: setLeaving,
  };
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    focus();
    const text = event.clipboardData.getData('text/plain');
    if (text !== '') props.onPaste(text, rows);
  };
  const point = pointing(selection, bounds, onSelect);
  const inSight = Array.from(
    { length: drawn ? Math.max(0, Math.min(shown.end, total) - shown.first) : 0 },
    (_, step) => shown.first + step,
  );
  // The active row stays in the document, so that screen readers are never pointed at nothing.
  const apart = drawn && total > 0 && active.row < total && !inSight.includes(active.row) ? active.row : null;
  const ordered = useRowOrder(inSight, shown.slots);
  const indices = apart === null ? ordered : [...ordered, apart];
  const range = selectedRange(selection);
  const template = useMemo(() => tracks(widths.pixels, numbers), [widths.pixels, numbers]);
  const cellTop = shown.rowTop(active.row) - view.top + headHeight;
  const anchor: Anchor = {
    left: leftOf(active.column) - view.left,
    top: cellTop,
    bottom: cellTop + rowHeight,
    width: view.width,
    height: view.height + headHeight,
  };
  const seen = anchor.bottom > headHeight && anchor.top < anchor.height;
  useEffect(() => {
    exact.current = anchor.bottom > headHeight - NEAR && anchor.top < anchor.height + NEAR;
  });
  useGridActions(keys);
  return (
    <div ref={box} className="grid-box" data-part>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        className="cells"
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={drawn && total > 0 ? cellId(active.row, active.column) : undefined}
        aria-describedby="grid-help"
        style={{
          ['--template' as string]: template,
          ['--row-height' as string]: `${rowHeight}px`,
          ['--numbers' as string]: `${numbers}px`,
        }}
        onKeyDown={(event) => event.target === event.currentTarget && pressGridKey(event, keys)}
        // Tab passes by the grid until it is used: then it goes from cell to cell, and Escape gives it back.
        onFocus={(event) => {
          if (!box.current?.contains(event.relatedTarget)) setLeaving(true);
        }}
        onPaste={onPaste}
        onPointerDown={(event) => {
          if (!point.down(event)) return;
          event.preventDefault();
          focus();
          setLeaving(false);
        }}
        onPointerMove={point.move}
        onDoubleClick={(event) => (event.target as HTMLElement).dataset['column'] !== undefined && edit(null)}
      >
        <div
          role="presentation"
          className="canvas"
          style={{ height: shown.contentHeight + headHeight, minWidth: leftOf(columns.length) }}
        >
          <Heads columns={columns} from={sides.from} to={sides.to} height={headHeight} widths={widths} zoom={zoom} />
          <div role="rowgroup" className="body" style={{ transform: `translateY(${shown.base}px)` }}>
            <div aria-hidden="true" className="numbers" style={{ height: BLOCK_ROWS * rowHeight }}>
              {ordered.map((index) => (
                <EdgeNumber
                  key={index % shown.slots}
                  index={index}
                  row={rows.row(index)}
                  top={shown.rowOffset(index)}
                />
              ))}
            </div>
            {indices.map((index) => (
              <GridRow
                // The one that scrolls out is the one that scrolls in.
                key={index === apart ? 'active' : index % shown.slots}
                index={index}
                row={rows.row(index)}
                columns={columns}
                from={sides.from}
                to={sides.to}
                top={shown.rowOffset(index)}
                {...selectedColumns(range, index)}
                active={active.row === index ? active.column : null}
              />
            ))}
            <div
              aria-hidden="true"
              className="lines"
              style={{ height: Math.min(BLOCK_ROWS * rowHeight, shown.rowOffset(total)) }}
            >
              {lefts.slice(sides.from + 1, Math.min(sides.to + 1, columns.length)).map((left) => (
                <i key={left} style={{ left: left - 1 }} />
              ))}
            </div>
          </div>
          {editing && (
            <CellEditor
              key={`${editing.row} ${editing.column}`}
              label={`${findField(columns[editing.column]?.field ?? '').title}, row ${rows.row(editing.row)?.line ?? ''}`}
              text={editing.text}
              typed={editing.typed}
              numeric={isAmountField(columns[editing.column]?.field ?? '')}
              style={{
                top: headHeight + shown.rowTop(editing.row),
                left: leftOf(editing.column),
                width: Math.max(widths.pixels[editing.column] ?? 0, 80),
                height: rowHeight,
              }}
              onDone={finish}
              onCancel={() => {
                setEditing(null);
                focus();
              }}
            />
          )}
        </div>
      </div>
      <p id="grid-help" hidden>
        Use the arrow keys to move between cells. Type or press F2 to edit, F8 to go to the next issue,{' '}
        {formatShortcut('Mod+.')} to see what you can do about it. Press Escape, then Tab, to leave the table.
      </p>
      {rows.total === 0 && <div className="grid-empty">{props.empty}</div>}
      {rows.error && (
        <div className="grid-empty">
          <ErrorBox error={rows.error} onAction={rows.again} />
        </div>
      )}
      <textarea ref={catcher} className="only-read" tabIndex={-1} aria-hidden="true" onPaste={onPaste} />
      {seen && !editing && props.renderNote(rows, anchor)}
    </div>
  );
}

/** Pixels at usual size that hold the last row's number and the mark before it. */
function numbersWidth(rows: number): number {
  return Math.max(52, 26 + 7.5 * formatCount(rows + 1).length);
}

/** Left edge of each column, and the end of the last. */
function edges(pixels: number[], numbers: number): number[] {
  const lefts = [numbers];
  for (const width of pixels) lefts.push((lefts.at(-1) ?? 0) + width);
  return lefts;
}

function tracks(pixels: number[], numbers: number): string {
  const before = pixels.slice(0, -1).map((width) => `${width}px`);
  return [`${numbers}px`, ...before, `minmax(${pixels.at(-1) ?? 0}px, 1fr)`].join(' ');
}

/** What the palette can do with the column of the active cell: no drag is needed. */
function useGridActions(keys: GridKeys): void {
  const own = { group: 'Grid', outsideFields: true };
  useActions([
    {
      ...own,
      id: 'grid.wider',
      title: 'Widen column',
      keys: 'Alt+Shift+ArrowRight',
      run: () => keys.widen(1),
    },
    {
      ...own,
      id: 'grid.narrower',
      title: 'Narrow column',
      keys: 'Alt+Shift+ArrowLeft',
      run: () => keys.widen(-1),
    },
    { ...own, id: 'grid.usual', title: 'Reset column width', run: () => keys.widen(0) },
  ]);
}

/** Scrolls to the active cell after it moved, not while the person scrolls away from it. */
function useReveal(scroller: { current: HTMLElement | null }, selection: GridSelection, reveal: () => void): void {
  const before = useRef('');
  useEffect(() => {
    const now = `${selection.active.row} ${selection.active.column}`;
    if (before.current === now || !scroller.current) return;
    before.current = now;
    reveal();
  });
}

function pointing(selection: GridSelection, bounds: GridBounds, select: (selection: GridSelection) => void) {
  const spotOf = (event: PointerEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>(
      '[data-column], [role=rowheader], .numbers [data-row]',
    );
    const column = cell?.dataset['column'];
    const row = cell?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    return row === undefined ? null : { row: Number(row), column: column === undefined ? null : Number(column) };
  };
  return {
    down(event: PointerEvent): boolean {
      // The corner is for all rows, as in every spreadsheet.
      if (event.button === 0 && (event.target as HTMLElement).closest('.heads .number')) {
        select({ anchor: { row: 0, column: 0 }, active: { row: bounds.rows - 1, column: bounds.columns - 1 } });
        return true;
      }
      const spot = spotOf(event);
      if (!spot || event.button !== 0) return false;
      if (spot.column === null) {
        const from = event.shiftKey ? selection.anchor.row : spot.row;
        select({ anchor: { row: from, column: 0 }, active: { row: spot.row, column: bounds.columns - 1 } });
        return true;
      }
      const active = { row: spot.row, column: spot.column };
      select({ anchor: event.shiftKey ? selection.anchor : active, active });
      return true;
    },
    move(event: PointerEvent): void {
      const spot = event.buttons === 1 ? spotOf(event) : null;
      if (!spot || spot.column === null) return;
      if (spot.row === selection.active.row && spot.column === selection.active.column) return;
      select({ ...selection, active: { row: spot.row, column: spot.column } });
    },
  };
}
