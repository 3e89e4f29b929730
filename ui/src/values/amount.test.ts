import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import {
  addAmounts,
  formatAmount,
  formatMoney,
  isCredit,
  isZero,
  normalizeAmount,
  parseAmount,
  subtractAmounts,
} from './amount';

/** The core's tests read the same cases. */
const CASES = JSON.parse(readFileSync('../crates/money/tests/typed_amounts.json', 'utf8')) as [string, string | null][];

test.each(CASES)('%s is read as %s', (typed, amount) => {
  const read = parseAmount(typed);
  expect(read.ok ? read.amount : null).toBe(amount);
});

test.each([
  ['1250.5', '1,250.50'],
  ['0', '0.00'],
  ['-10563.91', '\u221210,563.91'],
  ['999', '999.00'],
  ['1000000.00', '1,000,000.00'],
])('%s is shown as %s', (amount, shown) => {
  expect(formatAmount(amount)).toBe(shown);
});

test.each([
  ['$900', '900.00'],
  ['1250.5', '1,250.50'],
  ['9.521,00', '9.521,00'],
  ['-5', '-5.00'],
])('leaving a field with %s makes it %s', (typed, tidy) => {
  expect(normalizeAmount(typed)).toBe(tidy);
});

test('an amount outside of a column has its currency', () => {
  expect([formatMoney('10563.91'), formatMoney('-42.1')]).toEqual(['$10,563.91', '\u2212$42.10']);
});

test('sums and differences are exact', () => {
  expect(addAmounts('0.10', '0.20')).toBe('0.30');
  expect(addAmounts('999999999999.99', '0.01')).toBe('1000000000000.00');
  expect(addAmounts()).toBe('0.00');
  expect(subtractAmounts('1.00', '1.01')).toBe('-0.01');
  expect(subtractAmounts('1.00', '-1.00')).toBe('2.00');
});

test('a credit is negative and not nothing', () => {
  expect([isCredit('-1.00'), isCredit('-0.00'), isCredit('1.00')]).toEqual([true, false, false]);
  expect([isZero('0.00'), isZero('-0.00'), isZero('0.01')]).toEqual([true, true, false]);
});
