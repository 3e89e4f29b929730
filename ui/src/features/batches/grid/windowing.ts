/** Which rows are in the document, at any number of rows. */

/** Web views cannot lay out anything taller than 2^25 pixels: beyond this the scroll bar moves several rows per pixel. */
export const MAX_HEIGHT = 30_000_000;
export const PAGE_ROWS = 200;
const OVERSCAN = 6;
const MOST_ROWS = 59;

export interface Viewport {
  /** Scrolled pixels. */
  scroll: number;
  /** Pixels that show rows. */
  height: number;
  /** Pixels of a row. */
  row: number;
}

export interface Window {
  first: number;
  /** Behind the last. */
  end: number;
  /** Pixels of the scrolled content. */
  canvas: number;
  /** Pixels from the top of the content to a row. */
  topOf(index: number): number;
}

/** How far the rows are scrolled when the scroll bar stands at `scroll`. */
function virtualTop(scroll: number, canvas: number, real: number, height: number): number {
  if (canvas >= real || canvas <= height) return scroll;
  return (scroll / (canvas - height)) * (real - height);
}

export function windowOf({ scroll, height, row }: Viewport, total: number): Window {
  const real = total * row;
  const canvas = Math.min(real, MAX_HEIGHT);
  const top = virtualTop(scroll, canvas, real, height);
  const shown = Math.ceil(height / row) + 1;
  const over = Math.max(0, Math.min(OVERSCAN, Math.floor((MOST_ROWS - shown) / 2)));
  const first = Math.max(0, Math.min(Math.floor(top / row), total - 1) - over);
  const end = Math.min(total, Math.floor(top / row) + shown + over);
  const shift = scroll - top;
  return { first, end, canvas, topOf: (index) => Math.round(index * row + shift) };
}

/** Where to scroll so that a row is in view; null when it is already. */
export function scrollTo(index: number, view: Viewport, total: number, centre = false): number | null {
  const real = total * view.row;
  const canvas = Math.min(real, MAX_HEIGHT);
  const top = virtualTop(view.scroll, canvas, real, view.height);
  const wanted = index * view.row;
  const above = wanted < top;
  const below = wanted + view.row > top + view.height;
  if (!above && !below) return null;
  const middle = wanted - Math.max(0, (view.height - view.row) / 2);
  const next = centre ? middle : above ? wanted : wanted + view.row - view.height;
  const bound = Math.max(0, Math.min(next, real - view.height));
  return canvas >= real ? bound : (bound / (real - view.height)) * (canvas - view.height);
}

/** First rows of the pages that hold these rows. */
export function pagesOf(first: number, end: number): number[] {
  const pages: number[] = [];
  for (let from = first - (first % PAGE_ROWS); from < end; from += PAGE_ROWS) pages.push(from);
  return pages;
}
