import { expect, test } from 'vitest';

import {
  addRange,
  clampSelection,
  isColumnSelected,
  keepRanges,
  moveByEnter,
  moveByTab,
  moveSelection,
  selectCell,
  selectedColumns,
  selectedRange,
  selectedRanges,
} from './selection';

const BOUNDS = { rows: 100, columns: 5, page: 20 };
const press = (text: string) => ({
  key: text.split('+').at(-1) ?? '',
  shift: text.includes('Shift+'),
  mod: text.includes('Mod+'),
});

test.each([
  ['ArrowDown', 10, 2, 11, 2],
  ['ArrowUp', 0, 2, 0, 2],
  ['ArrowLeft', 10, 0, 10, 0],
  ['ArrowRight', 10, 4, 10, 4],
  ['Mod+ArrowRight', 10, 1, 10, 4],
  ['Mod+ArrowDown', 10, 1, 99, 1],
  ['PageDown', 10, 1, 30, 1],
  ['PageDown', 95, 1, 99, 1],
  ['PageUp', 10, 1, 0, 1],
  ['Home', 10, 3, 10, 0],
  ['End', 10, 3, 10, 4],
  ['Mod+Home', 10, 3, 0, 0],
  ['Mod+End', 10, 3, 99, 4],
])('%s from %i, %i goes to %i, %i', (key, row, column, toRow, toColumn) => {
  expect(moveSelection(selectCell(row, column), press(key), BOUNDS)).toEqual(selectCell(toRow, toColumn));
});

test('Shift extends from where it began, and any other key ends it', () => {
  const first = moveSelection(selectCell(3, 1), press('Shift+ArrowDown'), BOUNDS);
  const second = moveSelection(first ?? selectCell(0, 0), press('Shift+ArrowRight'), BOUNDS);
  expect(selectedRange(second ?? selectCell(0, 0))).toEqual({ top: 3, bottom: 4, left: 1, right: 2 });
  expect(moveSelection(second ?? selectCell(0, 0), press('ArrowDown'), BOUNDS)).toEqual(selectCell(5, 2));
  expect(moveSelection(selectCell(1, 1), press('a'), BOUNDS)).toBeNull();
});

test('Tab goes over the end of a row and ends with the grid', () => {
  expect(moveByTab(selectCell(3, 4), false, BOUNDS)).toEqual(selectCell(4, 0));
  expect(moveByTab(selectCell(3, 0), true, BOUNDS)).toEqual(selectCell(2, 4));
  expect(moveByTab(selectCell(99, 4), false, BOUNDS)).toBeNull();
  expect(moveByTab(selectCell(0, 0), true, BOUNDS)).toBeNull();
  expect(moveByEnter(selectCell(99, 1), false, BOUNDS)).toEqual(selectCell(99, 1));
  expect(moveByEnter(selectCell(5, 1), true, BOUNDS)).toEqual(selectCell(4, 1));
});

test('a selection stays where there are cells', () => {
  expect(clampSelection(selectCell(500, 9), BOUNDS)).toEqual(selectCell(99, 4));
  expect(clampSelection(selectCell(3, 1), { rows: 0, columns: 0, page: 1 })).toEqual(selectCell(0, 0));
});

const range = (top: number, bottom: number, left: number, right: number) => ({ top, bottom, left, right });

test('Ctrl adds a range, Shift extends the last, and any other move ends all', () => {
  const two = addRange(selectCell(1, 1), { row: 5, column: 2 });
  const wide = moveSelection(two, press('Shift+ArrowDown'), BOUNDS) ?? two;
  expect(selectedRanges(wide)).toEqual([range(1, 1, 1, 1), range(5, 6, 2, 2)]);
  expect(moveSelection(wide, press('ArrowDown'), BOUNDS)).toEqual(selectCell(7, 2));
  expect(selectedRanges(addRange(wide, { row: 9, column: 0 }, { row: 9, column: 4 }))).toEqual([
    range(1, 1, 1, 1),
    range(5, 6, 2, 2),
    range(9, 9, 0, 4),
  ]);
});

test('by keyboard the ranges so far are kept while the cell with the keyboard goes on', () => {
  const first = moveSelection(selectCell(0, 0), press('Shift+ArrowDown'), BOUNDS) ?? selectCell(0, 0);
  let kept = keepRanges(first);
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown'])
    kept = moveSelection(kept, press(key), BOUNDS) ?? kept;
  expect(selectedRanges(kept)).toEqual([range(0, 1, 0, 0), range(1, 2, 2, 2)]);
});

test('of several ranges stays what is there', () => {
  const three = { ...selectCell(2, 0), others: [range(0, 200, 1, 9), range(150, 160, 0, 0), range(0, 0, 7, 7)] };
  expect(selectedRanges(clampSelection(three, BOUNDS))).toEqual([range(0, 99, 1, 4), range(2, 2, 0, 0)]);
});

test('a row says which of its columns are selected', () => {
  const ranges = [range(0, 3, 2, 4), range(3, 9, 7, 7)];
  expect([0, 3, 4, 10].map((row) => selectedColumns(ranges, row))).toEqual(['2-4', '2-4 7-7', '7-7', '']);
  expect([1, 2, 4, 5, 7].map((column) => isColumnSelected('2-4 7-7', column))).toEqual([
    false,
    true,
    true,
    false,
    true,
  ]);
});
