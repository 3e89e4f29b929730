/** Which rows are in the document, at any number of rows. */

/** Web views cannot lay out anything taller than 2^25 pixels: beyond this the scroll bar moves several rows per pixel. */
export const MAX_HEIGHT = 30_000_000;
export const PAGE_ROWS = 100;
const OVERSCAN = 6;
const MAX_ROWS = 59;
/** Rows between two bases. */
const BASE_ROWS = 1000;
/** Rows that may be drawn below one base. */
export const BLOCK_ROWS = BASE_ROWS + MAX_ROWS;

export interface GridViewport {
  /** Scrolled pixels. */
  scroll: number;
  /** Pixels that show rows. */
  height: number;
  /** Pixels of a row. */
  row: number;
}

export interface RowWindow {
  first: number;
  /** Behind the last. */
  end: number;
  /** The most rows there are between the two at this size. */
  slots: number;
  /** Pixels of the scrolled content. */
  contentHeight: number;
  /** Pixels from the top of the content to a row. */
  rowTop(index: number): number;
  /** The row at so many pixels from the top of the content; beyond the ends too. */
  rowAt(pixels: number): number;
  /** Pixels from the top of the content to the row that the others are placed from. */
  base: number;
  /** Pixels from there to a row: the same for as long as the base is, so that rows that only scroll are not drawn. */
  rowOffset(index: number): number;
}

/** How far the rows are scrolled when the scroll bar is at `scroll`. */
function scrolledTop(scroll: number, canvas: number, real: number, height: number): number {
  if (canvas >= real || canvas <= height) return scroll;
  return (scroll / (canvas - height)) * (real - height);
}

export function computeRowWindow({ scroll, height, row }: GridViewport, total: number): RowWindow {
  const real = total * row;
  const contentHeight = Math.min(real, MAX_HEIGHT);
  const top = scrolledTop(scroll, contentHeight, real, height);
  const shown = Math.ceil(height / row) + 1;
  const over = Math.max(0, Math.min(OVERSCAN, Math.floor((MAX_ROWS - shown) / 2)));
  const first = Math.max(0, Math.min(Math.floor(top / row), total - 1) - over);
  const end = Math.min(total, Math.floor(top / row) + shown + over);
  const shift = scroll - top;
  const from = first - (first % BASE_ROWS);
  const rowTop = (index: number) => Math.round(index * row + shift);
  return {
    first,
    end,
    slots: shown + 2 * over,
    contentHeight,
    rowTop,
    rowAt: (pixels) => Math.floor((pixels - shift) / row),
    base: rowTop(from),
    rowOffset: (index) => (index - from) * row,
  };
}

/** Columns on the screen, from the first to behind the last; `lefts` has the left edge of each and the end. */
export function visibleColumns(lefts: number[], scroll: number, width: number): { from: number; to: number } {
  const last = lefts.length - 1;
  let from = 0;
  while (from < last && (lefts[from + 1] ?? 0) <= scroll) from += 1;
  let to = from;
  while (to < last && (lefts[to] ?? 0) < scroll + width) to += 1;
  return { from: Math.max(0, from - 1), to: Math.min(last, to + 1) };
}

/** Where to scroll so that a row is in view; null when it is already. */
export function scrollOffsetFor(index: number, view: GridViewport, total: number): number | null {
  const real = total * view.row;
  const canvas = Math.min(real, MAX_HEIGHT);
  const top = scrolledTop(view.scroll, canvas, real, view.height);
  const wanted = index * view.row;
  const above = wanted < top;
  const below = wanted + view.row > top + view.height;
  if (!above && !below) return null;
  const next = above ? wanted : wanted + view.row - view.height;
  const bound = Math.max(0, Math.min(next, real - view.height));
  return canvas >= real ? bound : (bound / (real - view.height)) * (canvas - view.height);
}

/** First rows of the pages next to those from one to another. */
export function adjacentPages(from: number, to: number, total: number): number[] {
  return [from - PAGE_ROWS, to + PAGE_ROWS].filter((page) => page >= 0 && page < total);
}

/** First rows of the pages that hold these rows. */
export function pagesForRows(first: number, end: number): number[] {
  const pages: number[] = [];
  for (let from = first - (first % PAGE_ROWS); from < end; from += PAGE_ROWS) pages.push(from);
  return pages;
}
