import { expect, test } from 'vitest';

import { buildClearEdits, buildFillEdits, buildPasteEdits, parseCells, sumCells } from './clipboard';

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

test('one cell fills the range', () => {
  expect(buildPasteEdits([['x']], { top: 0, bottom: 1, left: 1, right: 2 }, target)).toEqual([
    { row: 10, column: 2, text: 'x' },
    { row: 10, column: 5, text: 'x' },
    { row: 20, column: 2, text: 'x' },
    { row: 20, column: 5, text: 'x' },
  ]);
});

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

test('emptying leaves empty cells alone', () => {
  const row = { row: 7, line: 8, cells: ['a', '', 'c'], changed: [], marks: [], excluded: false, documents: 0 };
  expect(
    buildClearEdits(
      [row],
      [
        { column: 0, cell: 0 },
        { column: 9, cell: 2 },
        { column: 1, cell: 1 },
      ],
    ),
  ).toEqual([
    { row: 7, column: 0, text: '' },
    { row: 7, column: 9, text: '' },
  ]);
});

const filled = (row: number, cells: string[]) => ({
  row,
  line: row + 1,
  cells,
  changed: [],
  marks: [],
  excluded: false,
  documents: 0,
});
const both = [
  { column: 0, cell: 0 },
  { column: 9, cell: 1 },
];

test('filling takes the first row down and the first column right, and leaves what is the same', () => {
  const rows = [filled(3, ['a', 'b']), filled(4, ['', 'b']), filled(8, ['c', 'd'])];
  expect(buildFillEdits(rows, both, 'down')).toEqual([
    { row: 4, column: 0, text: 'a' },
    { row: 8, column: 0, text: 'a' },
    { row: 8, column: 9, text: 'b' },
  ]);
  expect(buildFillEdits(rows, both, 'right')).toEqual([
    { row: 3, column: 9, text: 'a' },
    { row: 4, column: 9, text: '' },
    { row: 8, column: 9, text: 'c' },
  ]);
  expect(buildFillEdits(rows.slice(0, 1), both, 'down')).toEqual([]);
});

test.each([
  [['1,250.50', '$0.50', '(1.00)'], 3, 3, '1250.00', '416.67'],
  [['-1', '-2'], 2, 2, '-3.00', '-1.50'],
  [['-0.01', '0.00'], 2, 2, '-0.01', '-0.01'],
  [['TX', '', ' '], 1, 0, '0.00', '0.00'],
  [['999999999999.99', '999999999999.99', 'TX'], 3, 2, '1999999999999.98', '999999999999.99'],
])('the figures of %j', (texts, count, numbers, sum, average) => {
  expect(sumCells([texts])).toEqual({ count, numbers, sum, average });
});
