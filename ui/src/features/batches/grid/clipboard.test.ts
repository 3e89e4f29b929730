import { expect, test } from 'vitest';

import { buildCopyChange, buildFillChanges, buildTextChanges } from './cellAreas';
import { buildPasteEdits, joinRanges, parseCells } from './clipboard';

test.each([
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['one', [['one']]],
  ['a\t\tb', [['a', '', 'b']]],
  ['"two\nlines"\tx', [['two\nlines', 'x']]],
  ['"say ""so"""', [['say "so"']]],
  ['6" pipe\tx', [['6" pipe', 'x']]],
  ['"open\tx', [['"open', 'x']]],
  ['a\n\nb', [['a'], [''], ['b']]],
])('%j', (text, cells) => {
  expect(parseCells(text)).toEqual(cells);
});

const target = { columns: [0, 2, 5], rows: 3, next: 41, rowAt: (index: number) => [10, 20, 40][index] ?? null };

test('more cells begin at the corner, add rows at the end and stop at the last column', () => {
  const edits = buildPasteEdits(
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    { top: 2, bottom: 2, left: 2, right: 2 },
    target,
  );
  expect(edits).toEqual([
    { row: 40, column: 5, text: 'a' },
    { row: 41, column: 5, text: 'c' },
  ]);
});

const columns = [7, 3, 9, 4].map((column) => ({ column }));
const range = (top: number, bottom: number, left: number, right: number) => ({ top, bottom, left, right });

test('ranges are told to the core by their rows and the columns as they are shown', () => {
  expect(buildTextChanges([range(2, 5, 1, 2), range(0, 0, 3, 3)], columns, '')).toEqual([
    { area: { first: 2, last: 5, columns: [3, 9] }, content: { kind: 'text', text: '' } },
    { area: { first: 0, last: 0, columns: [4] }, content: { kind: 'text', text: '' } },
  ]);
  expect(buildCopyChange(range(0, 1, 0, 0), range(2, 9, 0, 0), columns)).toEqual({
    area: { first: 2, last: 9, columns: [7] },
    content: { kind: 'copy', area: { first: 0, last: 1, columns: [7] } },
  });
});

test.each([
  ['down', range(3, 6, 0, 1), [3, 3, [7, 3]], [4, 6, [7, 3]]],
  ['down', range(3, 3, 0, 1), [2, 2, [7, 3]], [3, 3, [7, 3]]],
  ['right', range(3, 6, 1, 3), [3, 6, [3]], [3, 6, [9, 4]]],
  ['right', range(3, 6, 1, 1), [3, 6, [7]], [3, 6, [3]]],
] as const)('fill %s in %j', (direction, selected, source, filled) => {
  const area = ([first, last, own]: readonly [number, number, readonly number[]]) => ({ first, last, columns: own });
  expect(buildFillChanges([selected], columns, direction)).toEqual([
    { area: area(filled), content: { kind: 'copy', area: area(source) } },
  ]);
});

test('there is nothing to fill from before the first row and column', () => {
  expect(buildFillChanges([range(0, 0, 0, 2)], columns, 'down')).toEqual([]);
  expect(buildFillChanges([range(0, 4, 0, 0)], columns, 'right')).toEqual([]);
});

test.each([
  [[range(1, 3, 2, 4)], { rows: [{ top: 1, bottom: 3 }], columns: [2, 3, 4] }],
  [[range(1, 3, 4, 4), range(1, 3, 0, 1), range(1, 3, 1, 1)], { rows: [{ top: 1, bottom: 3 }], columns: [0, 1, 4] }],
  [
    [range(8, 9, 0, 1), range(1, 3, 0, 1), range(3, 4, 0, 1)],
    {
      rows: [
        { top: 1, bottom: 4 },
        { top: 8, bottom: 9 },
      ],
      columns: [0, 1],
    },
  ],
  [[range(1, 3, 0, 0), range(1, 2, 1, 1)], null],
  [[range(1, 1, 0, 0), range(2, 2, 1, 1)], null],
])('ranges %j are copied as %j', (ranges, table) => {
  expect(joinRanges(ranges)).toEqual(table);
});
