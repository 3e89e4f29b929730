import { useMemo } from 'react';

import type { RangeFrame } from './GridDragMarks';
import { visibleColumns } from './rowWindow';
import type { CellPosition } from './selection';
import type { GridWindow } from './useGridWindow';

/** Where the active cell is on the screen, for a note beside it. */
export interface CellAnchor {
  left: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

/** Pixels of a cell in the scrolled content, for an editor over it. */
export interface CellFrame {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface PlacesOptions {
  gridWindow: GridWindow;
  /** How many columns there are, and the pixels of each. */
  count: number;
  widths: readonly number[];
  numbersWidth: number;
  frozen: number;
  hidesColumns: boolean | undefined;
  active: CellPosition;
}

/** Where columns, cells and ranges are, in pixels. */
export function useGridPlaces({ gridWindow, count, widths, numbersWidth, frozen, active, ...options }: PlacesOptions) {
  const { view, shown, rowHeight, headHeight } = gridWindow;
  const lefts = useMemo(() => columnEdges(widths, numbersWidth), [widths, numbersWidth]);
  const template = useMemo(() => gridTracks(widths, numbersWidth), [widths, numbersWidth]);
  const leftOf = (column: number) => lefts[Math.min(column, count)] ?? numbersWidth;
  /** Pixels at the left that do not scroll. */
  const fixedWidth = leftOf(frozen);
  const sides = options.hidesColumns
    ? visibleColumns(lefts, view.left + fixedWidth, Math.max(0, view.width - fixedWidth))
    : { from: 0, to: count };
  const cellTop = shown.rowTop(active.row) - view.top + headHeight;
  const anchor: CellAnchor = {
    left: leftOf(active.column) - view.left,
    top: cellTop,
    bottom: cellTop + rowHeight,
    width: view.width,
    height: view.height + headHeight,
  };
  /** Columns that stay go along with the scrolling. */
  const insetOf = (column: number) => leftOf(column) + (column < frozen ? view.left : 0);
  const frameOf = (row: number, column: number): CellFrame => ({
    top: headHeight + shown.rowTop(row),
    left: insetOf(column),
    width: widths[column] ?? 0,
    height: rowHeight,
  });
  const frameOfRange: RangeFrame = ({ top, bottom, left, right }) => {
    const end = right === count - 1 ? Math.max(leftOf(right + 1), view.width) : leftOf(right + 1);
    const shift = right < frozen ? view.left : 0;
    return {
      top: headHeight + shown.rowTop(top),
      left: insetOf(left),
      width: end + shift - insetOf(left),
      height: (bottom - top + 1) * rowHeight,
    };
  };
  return { lefts, template, leftOf, fixedWidth, sides, anchor, frameOf, frameOfRange };
}

export type GridPlaces = ReturnType<typeof useGridPlaces>;

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
