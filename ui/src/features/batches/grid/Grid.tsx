import './grid.css';

import { type ClipboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { useAppearance } from '../../../desk/appearance';
import { columnWidth, fieldInfo, type GridColumn, isNumeric } from '../fields';
import { CellEditor, type Leave } from './CellEditor';
import { cellId, GridRow, inRow } from './GridRow';
import { at, type Bounds, entered, rangeOf, type Selection, tabbed } from './selection';
import { type GridKeys, pressGridKey } from './useGridKeys';
import type { Rows } from './useRows';
import { useRows, type RowsOf } from './useRows';
import { useViewport } from './useViewport';
import { scrollTo, windowOf } from './windowing';

const ROW = 27;
const HEAD = 31;
const NUMBERS = 52;

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
  of: RowsOf;
  /** Rows as far as known before the first page. */
  expected: number;
  columns: GridColumn[];
  selection: Selection;
  onSelect(selection: Selection): void;
  onText(index: number, column: GridColumn, text: string): void;
  onClear(rows: Rows): void;
  onCopy(rows: Rows): void;
  onPaste(text: string, rows: Rows): void;
  onNote(): void;
  /** Shown over the grid for the active cell. */
  renderNote(rows: Rows, anchor: Anchor): ReactNode;
  /** Tells the view which rows there are. */
  onRows(rows: Rows): void;
  described?: string | undefined;
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
  const view = useViewport(scroller, headHeight);
  const viewport = { scroll: view.top, height: view.height, row: rowHeight };
  const [last, setLast] = useState(props.expected);
  const shown = windowOf(viewport, last);
  const rows = useRows(of, shown.first, shown.end);
  const total = rows.total ?? last;
  if (last !== total) setLast(total);
  const { onRows } = props;
  useEffect(() => onRows(rows));
  const widths = useMemo(
    () => columns.map((column) => Math.round(columnWidth(column.field ?? '') * zoom)),
    [columns, zoom],
  );
  const bounds: Bounds = {
    rows: total,
    columns: columns.length,
    page: Math.max(1, Math.floor(view.height / rowHeight) - 1),
  };
  const numbers = Math.round(NUMBERS * zoom);
  const leftOf = (column: number) => numbers + widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const { active } = selection;
  useReveal(scroller, selection, () => {
    const element = scroller.current;
    if (!element || bounds.rows === 0) return;
    const top = scrollTo(active.row, { ...viewport, scroll: element.scrollTop }, total);
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
    onSelect(at(active.row, active.column));
    setEditing({ ...active, text: text ?? row.cells[column.cell] ?? '', typed: text !== null });
  };
  const finish = (text: string, leave: Leave) => {
    const column = editing && columns[editing.column];
    const before = editing && column && rows.row(editing.row)?.cells[column.cell];
    if (editing && column && text !== before) props.onText(editing.row, column, text);
    setEditing(null);
    if (leave === 'stay') return;
    focus();
    if (leave === 'down' || leave === 'up') onSelect(entered(selection, leave === 'up', bounds));
    else onSelect(tabbed(selection, leave === 'back', bounds) ?? selection);
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
  const indices = Array.from(
    { length: Math.max(0, Math.min(shown.end, total) - shown.first) },
    (_, step) => shown.first + step,
  );
  // The active row stays in the document, so that screen readers are never pointed at nothing.
  if (total > 0 && active.row < total && !indices.includes(active.row)) indices.push(active.row);
  const range = rangeOf(selection);
  const template = [
    `${numbers}px`,
    ...widths.slice(0, -1).map((width) => `${width}px`),
    `minmax(${widths.at(-1) ?? 0}px, 1fr)`,
  ].join(' ');
  const cellTop = shown.topOf(active.row) - view.top + headHeight;
  const anchor: Anchor = {
    left: leftOf(active.column) - view.left,
    top: cellTop,
    bottom: cellTop + rowHeight,
    width: view.width,
    height: view.height + headHeight,
  };
  const seen = anchor.bottom > headHeight && anchor.top < anchor.height;
  return (
    <div ref={box} className="grid-box">
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        className="cells"
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={total > 0 ? cellId(active.row, active.column) : undefined}
        aria-describedby={props.described}
        style={{ ['--template' as string]: template, ['--row-height' as string]: `${rowHeight}px` }}
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
          style={{ height: shown.canvas + headHeight, minWidth: leftOf(columns.length) }}
        >
          <Heads columns={columns} height={headHeight} />
          <div role="rowgroup" className="body">
            {indices.map((index) => (
              <GridRow
                key={index}
                index={index}
                row={rows.row(index)}
                columns={columns}
                top={shown.topOf(index)}
                {...inRow(range, index)}
                active={active.row === index ? active.column : null}
              />
            ))}
          </div>
          {editing && (
            <CellEditor
              key={`${editing.row} ${editing.column}`}
              label={`${fieldInfo(columns[editing.column]?.field ?? '').title}, row ${rows.row(editing.row)?.line ?? ''}`}
              text={editing.text}
              typed={editing.typed}
              numeric={isNumeric(columns[editing.column]?.field ?? '')}
              style={{
                top: headHeight + shown.topOf(editing.row),
                left: leftOf(editing.column),
                width: Math.max(widths[editing.column] ?? 0, 80),
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
      <textarea ref={catcher} className="only-read" tabIndex={-1} aria-hidden="true" onPaste={onPaste} />
      {seen && !editing && props.renderNote(rows, anchor)}
    </div>
  );
}

function Heads({ columns, height }: { columns: GridColumn[]; height: number }) {
  return (
    <div role="rowgroup" className="heads" style={{ height }}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div role="row" aria-rowindex={1} className="row">
        <div role="columnheader" aria-colindex={1} className="number">
          <span className="only-read">Row</span>
        </div>
        {columns.map((column, place) => (
          <div
            key={column.column}
            role="columnheader"
            aria-colindex={place + 2}
            className={`cell ${isNumeric(column.field ?? '') ? 'num' : ''}`}
            title={`Column ${column.letters}, “${column.header}”: ${fieldInfo(column.field ?? '').title}`}
          >
            {fieldInfo(column.field ?? '').short}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Scrolls to the active cell after it moved, not while the person scrolls away from it. */
function useReveal(scroller: { current: HTMLElement | null }, selection: Selection, reveal: () => void): void {
  const before = useRef('');
  useEffect(() => {
    const now = `${selection.active.row} ${selection.active.column}`;
    if (before.current === now || !scroller.current) return;
    before.current = now;
    reveal();
  });
}

function pointing(selection: Selection, bounds: Bounds, select: (selection: Selection) => void) {
  const spotOf = (event: PointerEvent) => {
    const { row, column } = (event.target as HTMLElement).dataset;
    return row === undefined ? null : { row: Number(row), column: column === undefined ? null : Number(column) };
  };
  return {
    down(event: PointerEvent): boolean {
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
