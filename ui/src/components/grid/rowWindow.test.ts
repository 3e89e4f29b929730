import { expect, test } from 'vitest';

import {
  BLOCK_ROWS,
  visibleColumns,
  MAX_HEIGHT,
  adjacentPages,
  pagesForRows,
  scrollOffsetFor,
  computeRowWindow,
} from './rowWindow';

const VIEW = { scroll: 0, height: 700, row: 27 };

test.each([
  [0, 10],
  [0, 5000],
  [100_000, 5000],
  [2_600_000, 100_000],
  [26_999_300, 1_000_000],
])('scrolled to %i of %i rows there are at most 60 rows', (scroll, total) => {
  const { first, end } = computeRowWindow({ ...VIEW, scroll }, total);
  expect(end - first).toBeLessThanOrEqual(60);
  expect(first).toBeGreaterThanOrEqual(0);
  expect(end).toBeLessThanOrEqual(total);
  expect(end).toBeGreaterThan(first);
});

test.each([0, 5, 27, 1000, 1013, 26_999, 2_000_000])('scrolled to %i each row has a place of its own', (scroll) => {
  const { first, end, slots, rowOffset } = computeRowWindow({ ...VIEW, scroll }, 100_000);
  expect(end - first).toBeLessThanOrEqual(slots);
  expect(rowOffset(end - 1) + VIEW.row).toBeLessThanOrEqual(BLOCK_ROWS * VIEW.row);
});

test('what fits is shown, also on a tall screen', () => {
  const { first, end } = computeRowWindow({ scroll: 0, height: 1400, row: 27 }, 5000);
  expect([first, end - first >= 52, end - first <= 60]).toEqual([0, true, true]);
});

test.each([1, 2, 4])('a million rows at %i times the size reach the last one', (zoom) => {
  const view = { ...VIEW, row: 27 * zoom };
  const total = 1_000_000;
  const bottom = scrollOffsetFor(total - 1, view, total) ?? 0;
  expect(bottom).toBeLessThanOrEqual(MAX_HEIGHT);
  const shown = computeRowWindow({ ...view, scroll: bottom }, total);
  expect(shown.end).toBe(total);
  const top = shown.rowTop(total - 1) - bottom;
  expect(top + view.row).toBeLessThanOrEqual(view.height + 1);
  expect(scrollOffsetFor(total - 1, { ...view, scroll: bottom }, total)).toBeNull();
});

test('a row in view is not scrolled to', () => {
  expect(scrollOffsetFor(3, VIEW, 5000)).toBeNull();
  expect(scrollOffsetFor(100, VIEW, 5000)).toBe(101 * 27 - 700);
  expect(scrollOffsetFor(0, { ...VIEW, scroll: 500 }, 5000)).toBe(0);
});

test.each([
  [0, 40, [0]],
  [90, 130, [0, 100]],
  [400, 401, [400]],
  [5, 5, [0]],
])('rows %i to %i are in pages %j', (first, end, pages) => {
  expect(pagesForRows(first, Math.max(end, first + 1))).toEqual(pages);
});

test.each([
  [0, 250, 0, 4],
  [100, 100, 0, 3],
  [350, 1000, 2, 5],
])('scrolled to %i with %i pixels the columns %i to %i are drawn', (scroll, width, from, to) => {
  expect(visibleColumns([0, 100, 200, 300, 400, 500], scroll, width)).toEqual({ from, to });
});

test('rows are placed from a base that stays the same while they scroll', () => {
  const at = (scroll: number) => computeRowWindow({ scroll, height: 700, row: 27 }, 1_000_000);
  expect(at(27 * 1500).rowOffset(1510)).toBe(at(27 * 1600).rowOffset(1510));
  const { base, rowOffset, rowTop } = at(27 * 1500);
  expect(base + rowOffset(1510)).toBe(rowTop(1510));
});

test.each([
  [0, 0, 50, []],
  [0, 0, 250, [100]],
  [100, 200, 1000, [0, 300]],
  [900, 900, 1000, [800]],
])('beside the pages from %i to %i of %i rows', (from, to, total, pages) => {
  expect(adjacentPages(from, to, total)).toEqual(pages);
});
