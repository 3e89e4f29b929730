import { expect, test } from 'vitest';

import { formatMonth, toMonth, addMonths, monthWeeks } from './months';

test.each([
  ['2026-01', -1, '2025-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-05', 14, '2027-07'],
  ['2026-05', 0, '2026-05'],
])('%s and %i months', (month, by, expected) => expect(addMonths(month, by)).toBe(expected));

test.each([
  ['2026-02', 4, '2026-02-01', '2026-02-28'],
  ['2028-02', 5, '2028-01-30', '2028-03-04'],
  ['2026-08', 6, '2026-07-26', '2026-09-05'],
])('the weeks of %s', (month, count, first, last) => {
  const found = monthWeeks(month);
  expect(found).toHaveLength(count);
  expect([found[0]?.[0], found.at(-1)?.[6]]).toEqual([first, last]);
  expect(found.flat().filter((day) => toMonth(day) === month).length).toBeGreaterThan(27);
});

test('a month has a name', () => expect(formatMonth('2026-09')).toBe('September 2026'));
