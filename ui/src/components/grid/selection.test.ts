import { expect, test } from 'vitest';

import { selectCell, moveByEnter, moveSelection, selectedRange, moveByTab, clampSelection } from './selection';

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
