import { expect, test } from 'vitest';

import { computeRowWindow } from './rowWindow';
import { findFillTarget, findLanding } from './useGridDrag';

const SOURCE = { top: 2, bottom: 3, left: 1, right: 2 };

test.each([
  [6, 2, { top: 4, bottom: 6, left: 1, right: 2 }],
  [3, 5, { top: 2, bottom: 3, left: 3, right: 5 }],
  [5, 3, { top: 4, bottom: 5, left: 1, right: 2 }],
  [4, 6, { top: 2, bottom: 3, left: 3, right: 6 }],
  [3, 2, null],
  [0, 0, null],
])('the corner over row %i, column %i fills %j', (row, column, target) => {
  expect(findFillTarget(SOURCE, { row, column })).toEqual(target);
});

const LEFTS = [50, 150, 250, 350, 450];

test.each([
  [60, 2, 1, 0],
  [240, 0, 1, 2],
  [900, 0, 1, 4],
  [140, 0, 1, null],
  [260, 2, 1, null],
  [360, 1, 2, null],
])('dragged to %i the columns from %i, %i of them, land before %j', (x, from, count, to) => {
  expect(findLanding(LEFTS, x, from, count)).toBe(to);
});

test.each([0, 5000, 29_000_000])('scrolled to %i the row under the pointer is found', (scroll) => {
  const { first, rowAt, rowTop } = computeRowWindow({ scroll, height: 700, row: 27 }, 2_000_000);
  for (const row of [first, first + 7]) {
    expect(rowAt(rowTop(row) + 1)).toBe(row);
    expect(rowAt(rowTop(row) + 25)).toBe(row);
  }
});
