import { expect, test } from 'vitest';

import { escapeFormula, unescapeFormula } from './formulaEscape';

test.each([
  ['=1+1', "'=1+1"],
  ["'=1+1", "''=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+1 555 0100', '+1 555 0100'],
  ['-42.10', '-42.10'],
  ['-2+3', "'-2+3"],
  ['+cmd', "'+cmd"],
  ['\uff1dA1', "'\uff1dA1"],
  ["O'Neil", "O'Neil"],
  ["'tis", "'tis"],
  ['', ''],
])('%s leaves as %s and comes back', (cell, left) => {
  expect(escapeFormula(cell)).toBe(left);
  expect(unescapeFormula(left)).toBe(cell);
});
