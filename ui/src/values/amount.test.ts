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

test.each([
  ['1,250.50', '1250.50'],
  ['$900', '900.00'],
  ['  $ 1,000,000.5 ', '1000000.50'],
  ['900 USD', '900.00'],
  ['USD 900', '900.00'],
  ['usd900', '900.00'],
  ['USD $900', '900.00'],
  ['$900 USD', '900.00'],
  ['US$ 900', '900.00'],
  ['900$', '900.00'],
  ['($900)', '-900.00'],
  ['$ (900.00)', '-900.00'],
  ['(USD 900)', '-900.00'],
  ['900-', '-900.00'],
  ['900.00- USD', '-900.00'],
  ['- $ 900', '-900.00'],
  ['-900 USD', '-900.00'],
  ['USD -900', '-900.00'],
  ['.5', '0.50'],
  ['5.', '5.00'],
  ['12.3400', '12.34'],
  ['007', '7.00'],
  ['(42.10)', '-42.10'],
  ['-42.10', '-42.10'],
  ['\u221242.10', '-42.10'],
  ['$-42.10', '-42.10'],
  ['-0.00', '0.00'],
  ['\u00a01\u202f', '1.00'],
])('%s is read as %s', (typed, amount) => {
  expect(parseAmount(typed)).toEqual({ ok: true, amount });
});

test.each([
  '',
  'abc',
  '1,25',
  '12,34.5',
  '1.2.3',
  '1e5',
  '10O',
  '--5',
  '1.005',
  '$',
  '1 250',
  '1234567890123',
  '-(900)',
  '(-900)',
  '-900-',
  '((900))',
  '(900',
  '$$900',
  '$900$',
  'USD 900 USD',
  'US 900',
  'EUR 900',
  'USD',
  '()',
  '-',
])('“%s” is not read as an amount', (typed) => {
  expect(parseAmount(typed).ok).toBe(false);
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
