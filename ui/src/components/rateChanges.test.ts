import { expect, test } from 'vitest';

import type { RuleChangeView } from '../bindings/operations';
import { formatChangeDates, groupChangesByDay } from './rateChanges';

test.each([
  [null, null, 'All dates'],
  ['2025-01-01', null, 'From Jan 1, 2025'],
  [null, '2022-12-31', 'Until Dec 31, 2022'],
  ['2019-01-01', '2029-12-31', 'Jan 1, 2019 to Dec 31, 2029'],
])('from %s until %s is %s', (from, until, words) => {
  expect(formatChangeDates({ from, until })).toBe(words);
});

test('changes are grouped by the day they were published', () => {
  const change = (published: string, text: string): RuleChangeView => ({
    published,
    states: ['WA'],
    from: null,
    until: null,
    text,
  });
  const [a, b, c] = [change('2026-12-01', 'a'), change('2026-11-22', 'b'), change('2026-11-22', 'c')];
  expect(groupChangesByDay([a, b, c])).toEqual([
    ['2026-12-01', [a]],
    ['2026-11-22', [b, c]],
  ]);
});
