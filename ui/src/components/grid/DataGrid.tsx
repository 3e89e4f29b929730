import './dataGrid.css';

import { type ReactNode, useEffect, useRef } from 'react';

import { DataGridHeads, type HeadContent } from './DataGridHeads';
import { type CellContent, cellId, DataGridRow, EdgeNumber, type GridColumn, type RowContent } from './DataGridRow';
import { FillHandle, LandingMark } from './GridDragMarks';
import { BLOCK_ROWS, scrollOffsetFor } from './rowWindow';
import {
  type CellPosition,
  clampSelection,
  type GridBounds,
  type GridSelection,
  selectedColumns,
  selectedRange,
  selectedRanges,
} from './selection';
import { type GridInputProps, useGridInput } from './useGridInput';
import { type CellAnchor, type CellFrame, type GridPlaces, useGridPlaces } from './useGridPlaces';
import type { GridWindow } from './useGridWindow';
import { useRowOrder } from './useRowOrder';

/** Pixels around the screen in which the active cell counts as on it. */
const NEAR = 80;

interface Props<R> extends GridInputProps {
  label: string;
  className?: string;
  describedBy?: string;
  gridWindow: GridWindow;
  rows: { total: number; rowAt(index: number): R | undefined };
  /** False until the first rows are loaded: rows are not drawn without their texts. */
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
  /** Columns at the left that stay while the others scroll. */
  frozen?: number;
  /** Over the cells, scrolled with them. */
  renderInside?: (frameOf: (row: number, column: number) => CellFrame) => ReactNode;
  /** Shown beside the active cell while it is on the screen. */
  renderNote?: (anchor: CellAnchor) => ReactNode;
  children?: ReactNode;
}

/** A grid of any number of rows: at most sixty of them are in the document. The focus stays on the grid itself. */
export function DataGrid<R>(props: Props<R>) {
  const { gridWindow, columns, widths, numbersWidth = 0, isDrawn = true, frozen = 0, hidesColumns } = props;
  const { scroller, setExact, view, shown, rowHeight, headHeight } = gridWindow;
  const { total } = props.rows;
  const box = useRef<HTMLDivElement>(null);
  const bounds: GridBounds = {
    rows: total,
    columns: columns.length,
    page: Math.max(1, Math.floor(view.height / rowHeight) - 1),
  };
  const selection = clampSelection(props.selection, bounds);
  const { active } = selection;
  const count = columns.length;
  const places = useGridPlaces({ gridWindow, count, widths, numbersWidth, frozen, hidesColumns, active });
  const { lefts, leftOf, sides, anchor } = places;
  useReveal(scroller, selection, (element) => revealCell(element, active, props, places));
  const input = useGridInput(props, { box, gridWindow, places, selection, bounds, numbersWidth, frozen });
  const { drag } = input;
  const hasNote = props.renderNote !== undefined;
  useEffect(() => {
    setExact(hasNote && anchor.bottom > headHeight - NEAR && anchor.top < anchor.height + NEAR);
  });
  const hasNumbers = numbersWidth > 0;
  const ranges = selectedRanges(selection);
  const range = selectedRange(selection);
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
          ['--template' as string]: places.template,
          ['--row-height' as string]: `${rowHeight}px`,
          ['--numbers' as string]: `${numbersWidth}px`,
        }}
        {...input.handlers}
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
          <GridRows of={props} selection={selection} places={places} />
          {props.onFill && total > 0 && ranges.length === 1 && (
            <FillHandle
              range={range}
              target={drag?.kind === 'fill' ? drag.target : null}
              frameOf={places.frameOfRange}
              isHidden={range.right >= frozen && leftOf(range.right + 1) < view.left + places.fixedWidth}
              onGrab={input.grabCorner}
            />
          )}
          {props.renderInside?.(places.frameOf)}
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

interface RowsProps<R> {
  of: Props<R>;
  selection: GridSelection;
  places: GridPlaces;
}

/** The rows on the screen with their numbers, and the lines between columns. */
function GridRows<R>({ of, selection, places }: RowsProps<R>) {
  const { gridWindow, columns, numbersWidth = 0, isDrawn = true, frozen = 0 } = of;
  const { shown, rowHeight } = gridWindow;
  const { total, rowAt } = of.rows;
  const { active } = selection;
  const { lefts, sides } = places;
  const ranges = selectedRanges(selection);
  const inSight = Array.from(
    { length: isDrawn ? Math.max(0, Math.min(shown.end, total) - shown.first) : 0 },
    (_, step) => shown.first + step,
  );
  // The active row stays in the document, so that screen readers are never pointed at nothing.
  const apart = isDrawn && total > 0 && !inSight.includes(active.row) ? active.row : null;
  const ordered = useRowOrder(inSight, shown.slots);
  const indices = apart === null ? ordered : [...ordered, apart];
  return (
    <div role="rowgroup" className="body" style={{ transform: `translateY(${shown.base}px)` }}>
      {numbersWidth > 0 && (
        <div aria-hidden="true" className="numbers" style={{ height: BLOCK_ROWS * rowHeight }}>
          {ordered.map((index) => (
            <EdgeNumber
              key={index % shown.slots}
              index={index}
              row={rowAt(index)}
              describeRow={of.describeRow}
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
          hasNumbers={numbersWidth > 0}
          from={sides.from}
          to={sides.to}
          frozen={frozen}
          lefts={lefts}
          top={shown.rowOffset(index)}
          selected={selectedColumns(ranges, index)}
          active={active.row === index ? active.column : null}
          describeRow={of.describeRow}
          describeCell={of.describeCell}
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
  );
}

/** Scrolls to the active cell after it moved, not while the person scrolls away from it. */
function useReveal(
  scroller: { current: HTMLElement | null },
  { active }: GridSelection,
  reveal: (element: HTMLElement) => void,
): void {
  const before = useRef('');
  useEffect(() => {
    const now = `${active.row} ${active.column}`;
    if (before.current === now || !scroller.current) return;
    before.current = now;
    reveal(scroller.current);
  });
}

function revealCell(
  element: HTMLElement,
  cell: CellPosition,
  { gridWindow, rows, frozen = 0 }: Pick<Props<unknown>, 'gridWindow' | 'rows' | 'frozen'>,
  places: GridPlaces,
) {
  if (rows.total === 0) return;
  const top = scrollOffsetFor(cell.row, { ...gridWindow.viewport, scroll: element.scrollTop }, rows.total);
  if (top !== null) element.scrollTop = top;
  if (cell.column < frozen) return;
  const left = places.leftOf(cell.column) - places.fixedWidth;
  const right = places.leftOf(cell.column + 1);
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
}
