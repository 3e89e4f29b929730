import './dataGrid.css';

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import { isMac } from '../../values/shortcuts';
import { DataGridHeads, type HeadContent } from './DataGridHeads';
import { type CellContent, cellId, DataGridRow, EdgeNumber, type GridColumn, type RowContent } from './DataGridRow';
import { FillHandle, LandingMark, type RangeFrame } from './GridDragMarks';
import { pressSelectionKey } from './gridKeys';
import { findHeading, handlePointer } from './gridPointer';
import { BLOCK_ROWS, scrollOffsetFor, visibleColumns } from './rowWindow';
import {
  type CellRange,
  clampSelection,
  type GridBounds,
  type GridSelection,
  selectedColumns,
  selectedRange,
  selectedRanges,
} from './selection';
import { useGridDrag } from './useGridDrag';
import type { GridWindow } from './useGridWindow';
import { useRowOrder } from './useRowOrder';

/** Pixels around the screen in which the active cell counts as on it. */
const NEAR = 80;

/** Where the active cell is on the screen, for a note beside it. */
export interface CellAnchor {
  left: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

/** A place of the window, in pixels. */
export interface MenuPoint {
  left: number;
  top: number;
}

/** Pixels of a cell in the scrolled content, for an editor over it. */
interface CellFrame {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Props<R> {
  label: string;
  className?: string;
  describedBy?: string;
  gridWindow: GridWindow;
  rows: { total: number; rowAt(index: number): R | undefined };
  /** False until the first rows are there: rows are drawn with their texts, not first without them. */
  isDrawn?: boolean;
  columns: readonly GridColumn[];
  /** Pixels on the screen of each column. */
  widths: readonly number[];
  /** Pixels of the row numbers at the left edge; 0 for a grid without. */
  numbersWidth?: number;
  /** Draws only the columns on the screen: for grids of many. */
  hidesColumns?: boolean;
  /** The same function as long as the columns are the same, so that rows that only move are not drawn. */
  describeRow(row: R | undefined): RowContent;
  describeCell(row: R | undefined, place: number): CellContent;
  describeHead(place: number): HeadContent;
  selection: GridSelection;
  onSelect(selection: GridSelection): void;
  isEditable?: boolean;
  /** Columns at the left that stay while the others scroll. */
  frozen?: number;
  /** The right button, or its key, on a cell or heading that is selected. */
  onMenu?: (point: MenuPoint) => void;
  /** A key, before the grid moves or selects with it; true when it was one of the view's. */
  onKey(event: KeyboardEvent, mod: boolean): boolean;
  /** A cell was double-clicked. */
  onActivate(): void;
  onPaste?: (event: ClipboardEvent) => void;
  /** The corner of the selection was dragged over cells; without it there is no such corner. */
  onFill?: ((source: CellRange, target: CellRange) => void) | undefined;
  /** Columns were dragged by a heading to the place before another. */
  onMoveColumns?: (from: number, count: number, to: number) => void;
  /** Over the cells, scrolled with them. */
  renderInside?: (frameOf: (row: number, column: number) => CellFrame) => ReactNode;
  /** Shown beside the active cell while it is on the screen. */
  renderNote?: (anchor: CellAnchor) => ReactNode;
  children?: ReactNode;
}

/** A grid of any number of rows: at most sixty of them are in the document. The focus stays on the grid itself. */
export function DataGrid<R>(props: Props<R>) {
  const {
    gridWindow,
    columns,
    widths,
    onSelect,
    numbersWidth = 0,
    isDrawn = true,
    isEditable = false,
    frozen = 0,
  } = props;
  const { scroller, setExact, view, viewport, shown, rowHeight, headHeight } = gridWindow;
  const { total, rowAt } = props.rows;
  const box = useRef<HTMLDivElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const bounds: GridBounds = {
    rows: total,
    columns: columns.length,
    page: Math.max(1, Math.floor(view.height / rowHeight) - 1),
  };
  const selection = clampSelection(props.selection, bounds);
  const { active } = selection;
  const lefts = useMemo(() => columnEdges(widths, numbersWidth), [widths, numbersWidth]);
  const leftOf = (column: number) => lefts[Math.min(column, columns.length)] ?? numbersWidth;
  /** Pixels at the left that do not scroll. */
  const fixedWidth = leftOf(frozen);
  const sides = props.hidesColumns
    ? visibleColumns(lefts, view.left + fixedWidth, Math.max(0, view.width - fixedWidth))
    : { from: 0, to: columns.length };
  useReveal(scroller, selection, (element) => {
    if (total === 0) return;
    const top = scrollOffsetFor(active.row, { ...viewport, scroll: element.scrollTop }, total);
    if (top !== null) element.scrollTop = top;
    if (active.column < frozen) return;
    const left = leftOf(active.column) - fixedWidth;
    const right = leftOf(active.column + 1);
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.nativeEvent.isComposing || event.altKey || total === 0) return;
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    if (isLeaving && !['Tab', 'Shift'].includes(event.key)) setLeaving(false);
    const context = { selection, bounds, select: onSelect, isEditable, isLeaving, leave: () => setLeaving(true) };
    if (props.onMenu && (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) {
      event.preventDefault();
      const { left = 0, top = 0 } = scroller.current?.getBoundingClientRect() ?? {};
      const inside = Math.min(Math.max(anchor.left, numbersWidth), anchor.width);
      props.onMenu({ left: left + inside, top: top + Math.min(Math.max(anchor.bottom, headHeight), anchor.height) });
    } else if (props.onKey(event, mod) || pressSelectionKey(event, mod, context)) event.preventDefault();
  };
  const pointer = handlePointer({ selection, bounds, select: onSelect, isEditable });
  const ranges = selectedRanges(selection);
  const range = selectedRange(selection);
  const dragging = useGridDrag({
    scroller,
    geometry: { shown, lefts, frozen, headHeight, total },
    onFill: props.onFill,
    onMoveColumns: props.onMoveColumns,
  });
  const { drag } = dragging;
  /** Columns that are selected as a whole are dragged together. */
  const isWhole = range.top === 0 && range.bottom === total - 1;
  const onPointerDown = (event: PointerEvent) => {
    const heading = findHeading(event);
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
    const moves = props.onMoveColumns && heading !== null && event.button === 0 && isPlain;
    const isBlock = moves && isWhole && heading >= range.left && heading <= range.right && range.left < range.right;
    if (!isBlock && !pointer.down(event)) return;
    event.preventDefault();
    scroller.current?.focus({ preventScroll: true });
    setLeaving(false);
    if (!moves) return;
    const [from, count] = isBlock ? [range.left, range.right - range.left + 1] : [heading, 1];
    dragging.begin(event, { kind: 'columns', heading, from, count, startX: event.clientX, to: null });
  };
  const inSight = Array.from(
    { length: isDrawn ? Math.max(0, Math.min(shown.end, total) - shown.first) : 0 },
    (_, step) => shown.first + step,
  );
  // The active row stays in the document, so that screen readers are never pointed at nothing.
  const apart = isDrawn && total > 0 && !inSight.includes(active.row) ? active.row : null;
  const ordered = useRowOrder(inSight, shown.slots);
  const indices = apart === null ? ordered : [...ordered, apart];
  const template = useMemo(() => gridTracks(widths, numbersWidth), [widths, numbersWidth]);
  const cellTop = shown.rowTop(active.row) - view.top + headHeight;
  const anchor: CellAnchor = {
    left: leftOf(active.column) - view.left,
    top: cellTop,
    bottom: cellTop + rowHeight,
    width: view.width,
    height: view.height + headHeight,
  };
  const hasNote = props.renderNote !== undefined;
  useEffect(() => {
    setExact(hasNote && anchor.bottom > headHeight - NEAR && anchor.top < anchor.height + NEAR);
  });
  const hasNumbers = numbersWidth > 0;
  /** Columns that stay go along with the scrolling. */
  const insetOf = (column: number) => leftOf(column) + (column < frozen ? view.left : 0);
  const frameOf = (row: number, column: number): CellFrame => ({
    top: headHeight + shown.rowTop(row),
    left: insetOf(column),
    width: widths[column] ?? 0,
    height: rowHeight,
  });
  const frameOfRange: RangeFrame = ({ top, bottom, left, right }) => {
    const end = right === columns.length - 1 ? Math.max(leftOf(right + 1), view.width) : leftOf(right + 1);
    const shift = right < frozen ? view.left : 0;
    return {
      top: headHeight + shown.rowTop(top),
      left: insetOf(left),
      width: end + shift - insetOf(left),
      height: (bottom - top + 1) * rowHeight,
    };
  };
  return (
    <div ref={box} className="grid-box" data-part>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        className={`data-grid ${frozen > 0 ? 'has-frozen' : ''} ${drag ? `drags-${drag.kind}` : ''} ${props.className ?? ''}`}
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + (hasNumbers ? 1 : 0)}
        aria-multiselectable="true"
        aria-activedescendant={isDrawn && total > 0 ? cellId(active.row, active.column) : undefined}
        aria-describedby={props.describedBy}
        style={{
          ['--template' as string]: template,
          ['--row-height' as string]: `${rowHeight}px`,
          ['--numbers' as string]: `${numbersWidth}px`,
        }}
        onKeyDown={onKeyDown}
        // Tab passes by the grid until it is used: then it goes from cell to cell, and Escape gives it back.
        onFocus={(event) => {
          if (!box.current?.contains(event.relatedTarget)) setLeaving(true);
        }}
        onPaste={props.onPaste}
        onPointerDown={onPointerDown}
        onPointerMove={(event) => dragging.move(event) || pointer.move(event)}
        // Of columns that could be dragged together the one that was pressed is selected after all.
        onPointerUp={(event) =>
          dragging.end(event, (column) => onSelect({ anchor: { row: total - 1, column }, active: { row: 0, column } }))
        }
        onPointerCancel={dragging.cancel}
        onContextMenu={(event) => {
          if (!props.onMenu || (event.target as HTMLElement).matches('input')) return;
          event.preventDefault();
          pointer.selectFor(event);
          scroller.current?.focus({ preventScroll: true });
          setLeaving(false);
          props.onMenu({ left: event.clientX, top: event.clientY });
        }}
        onDoubleClick={(event) => (event.target as HTMLElement).dataset['column'] !== undefined && props.onActivate()}
      >
        <div
          role="presentation"
          className="canvas"
          style={{ height: shown.contentHeight + headHeight, minWidth: leftOf(columns.length) }}
        >
          <DataGridHeads
            columns={columns}
            hasNumbers={hasNumbers}
            from={sides.from}
            to={sides.to}
            frozen={frozen}
            lefts={lefts}
            height={headHeight}
            describeHead={props.describeHead}
          />
          <div role="rowgroup" className="body" style={{ transform: `translateY(${shown.base}px)` }}>
            {hasNumbers && (
              <div aria-hidden="true" className="numbers" style={{ height: BLOCK_ROWS * rowHeight }}>
                {ordered.map((index) => (
                  <EdgeNumber
                    key={index % shown.slots}
                    index={index}
                    row={rowAt(index)}
                    describeRow={props.describeRow}
                    top={shown.rowOffset(index)}
                  />
                ))}
              </div>
            )}
            {indices.map((index) => (
              <DataGridRow
                // The one that scrolls out is the one that scrolls in.
                key={index === apart ? 'active' : index % shown.slots}
                index={index}
                row={rowAt(index)}
                columns={columns}
                hasNumbers={hasNumbers}
                from={sides.from}
                to={sides.to}
                frozen={frozen}
                lefts={lefts}
                top={shown.rowOffset(index)}
                selected={selectedColumns(ranges, index)}
                active={active.row === index ? active.column : null}
                describeRow={props.describeRow}
                describeCell={props.describeCell}
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
          {props.onFill && total > 0 && ranges.length === 1 && (
            <FillHandle
              range={range}
              target={drag?.kind === 'fill' ? drag.target : null}
              frameOf={frameOfRange}
              isHidden={range.right >= frozen && leftOf(range.right + 1) < view.left + fixedWidth}
              onGrab={(event) => {
                if (event.button !== 0) return;
                event.preventDefault();
                event.stopPropagation();
                dragging.begin(event, { kind: 'fill', source: range, target: null });
              }}
            />
          )}
          {props.renderInside?.(frameOf)}
        </div>
      </div>
      {drag?.kind === 'columns' && drag.to !== null && (
        <LandingMark left={leftOf(drag.to) - (drag.to > frozen ? view.left : 0)} />
      )}
      {props.children}
      {anchor.bottom > headHeight && anchor.top < anchor.height && props.renderNote?.(anchor)}
    </div>
  );
}

/** Left edge of each column, and the end of the last. */
function columnEdges(widths: readonly number[], numbersWidth: number): number[] {
  const lefts = [numbersWidth];
  for (const width of widths) lefts.push((lefts.at(-1) ?? 0) + width);
  return lefts;
}

function gridTracks(widths: readonly number[], numbersWidth: number): string {
  const before = [...(numbersWidth > 0 ? [numbersWidth] : []), ...widths.slice(0, -1)].map((width) => `${width}px`);
  return [...before, `minmax(${widths.at(-1) ?? 0}px, 1fr)`].join(' ');
}

/** Scrolls to the active cell after it moved, not while the person scrolls away from it. */
function useReveal(
  scroller: { current: HTMLElement | null },
  selection: GridSelection,
  reveal: (element: HTMLElement) => void,
): void {
  const before = useRef('');
  useEffect(() => {
    const now = `${selection.active.row} ${selection.active.column}`;
    if (before.current === now || !scroller.current) return;
    before.current = now;
    reveal(scroller.current);
  });
}
