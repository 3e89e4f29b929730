import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

import type { RowWindow } from './rowWindow';
import type { CellPosition, CellRange } from './selection';

/** Pixels before a press on a heading is a drag. */
const THRESHOLD = 6;
/** Pixels at the edges in which the grid scrolls on by itself. */
const SCROLL_EDGE = 24;
const SCROLL_MS = 60;

/** What is dragged: the corner of a range over the cells it fills, or columns to another place. */
type GridDrag =
  | { kind: 'fill'; source: CellRange; target: CellRange | null }
  | { kind: 'columns'; heading: number; from: number; count: number; startX: number; to: number | null };

/** Where rows and columns are, to find the cell under the pointer. */
interface GridGeometry {
  shown: RowWindow;
  /** Left edge of each column, and the end of the last. */
  lefts: readonly number[];
  frozen: number;
  headHeight: number;
  total: number;
}

interface Options {
  scroller: RefObject<HTMLElement | null>;
  geometry: GridGeometry;
  onFill: ((source: CellRange, target: CellRange) => void) | undefined;
  onMoveColumns: ((from: number, count: number, to: number) => void) | undefined;
}

/** The cells below or right of a range, up to a cell: the way on which the pointer went further. */
export function findFillTarget(source: CellRange, cell: CellPosition): CellRange | null {
  const down = cell.row - source.bottom;
  const right = cell.column - source.right;
  if (down <= 0 && right <= 0) return null;
  return down >= right
    ? { ...source, top: source.bottom + 1, bottom: cell.row }
    : { ...source, left: source.right + 1, right: cell.column };
}

/** The boundary between columns that is nearest to a place; columns that stay where they are land nowhere. */
export function findLanding(lefts: readonly number[], x: number, from: number, count: number): number | null {
  let to = 0;
  for (let place = 1; place < lefts.length; place += 1)
    if (Math.abs((lefts[place] ?? 0) - x) < Math.abs((lefts[to] ?? 0) - x)) to = place;
  return to >= from && to <= from + count ? null : to;
}

/** Drags of the grid: the pointer is captured until it is released, and Escape cancels the drag. */
export function useGridDrag({ scroller, geometry, onFill, onMoveColumns }: Options) {
  const [drag, setDrag] = useState<GridDrag | null>(null);
  const latest = useRef({ drag, geometry });
  const pointer = useRef({ x: 0, y: 0 });
  useEffect(() => {
    latest.current = { drag, geometry };
  });
  const set = (next: GridDrag | null) => {
    latest.current.drag = next;
    setDrag(next);
  };
  const follow = () => {
    const element = scroller.current;
    const { drag: now, geometry: at } = latest.current;
    if (!element || !now) return;
    const box = element.getBoundingClientRect();
    const x = pointer.current.x - box.left;
    const isFixed = x < (at.lefts[at.frozen] ?? 0);
    const inside = isFixed ? x : x + element.scrollLeft;
    if (now.kind === 'columns') {
      if (now.to === null && Math.abs(pointer.current.x - now.startX) < THRESHOLD) return;
      const to = findLanding(at.lefts, inside, now.from, now.count);
      if (to !== now.to) set({ ...now, to });
      return;
    }
    const column = at.lefts.findLastIndex((left) => left <= inside);
    const row = at.shown.rowAt(pointer.current.y - box.top - at.headHeight + element.scrollTop);
    const target = findFillTarget(now.source, {
      row: Math.max(0, Math.min(row, at.total - 1)),
      column: Math.max(0, Math.min(column, at.lefts.length - 2)),
    });
    if (JSON.stringify(target) !== JSON.stringify(now.target)) set({ ...now, target });
  };
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    const timer = setInterval(() => {
      const element = scroller.current;
      if (!element) return;
      const box = element.getBoundingClientRect();
      const fixed = latest.current.geometry.lefts[latest.current.geometry.frozen] ?? 0;
      const { x, y } = pointer.current;
      const isFill = latest.current.drag?.kind === 'fill';
      const down = isFill ? overshoot(y, box.top + latest.current.geometry.headHeight, box.bottom) : 0;
      const right = overshoot(x, box.left + fixed, box.right);
      if (down === 0 && right === 0) return;
      element.scrollTop += down;
      element.scrollLeft += right;
      follow();
    }, SCROLL_MS);
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      set(null);
    };
    window.addEventListener('keydown', cancel, true);
    return () => {
      clearInterval(timer);
      window.removeEventListener('keydown', cancel, true);
    };
    // oxlint-disable-next-line exhaustive-deps -- what it reads is in refs
  }, [isDragging]);
  return {
    drag,
    begin(event: PointerEvent, begun: GridDrag): void {
      pointer.current = { x: event.clientX, y: event.clientY };
      // Not every page of the tests has a pointer to hold.
      scroller.current?.setPointerCapture?.(event.pointerId);
      set(begun);
    },
    /** True while something is dragged: nothing is selected meanwhile. */
    move(event: PointerEvent): boolean {
      if (!latest.current.drag) return false;
      pointer.current = { x: event.clientX, y: event.clientY };
      follow();
      return true;
    },
    /** Called for columns that were pressed and not dragged. */
    end(event: PointerEvent, onPressed: (heading: number) => void): void {
      const now = latest.current.drag;
      set(null);
      const isStill = now?.kind === 'columns' && Math.abs(event.clientX - now.startX) < THRESHOLD;
      if (isStill) return onPressed(now.heading);
      if (now?.kind === 'fill' && now.target) onFill?.(now.source, now.target);
      if (now?.kind === 'columns' && now.to !== null) onMoveColumns?.(now.from, now.count, now.to);
    },
    cancel: () => set(null),
  };
}

/** Pixels to scroll on: more, the further the pointer is beyond an edge. */
function overshoot(at: number, low: number, high: number): number {
  if (at > high - SCROLL_EDGE) return Math.min(120, at - (high - SCROLL_EDGE));
  return at < low ? Math.max(-120, at - low) : 0;
}
