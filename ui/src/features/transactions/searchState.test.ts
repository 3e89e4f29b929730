import { expect, test } from 'vitest';

import { toSearchRequest, type SearchAction, reduceSearch, BLANK_SEARCH, isNarrowed } from './searchState';

const after = (...changes: SearchAction[]) => changes.reduce(reduceSearch, BLANK_SEARCH);

test('a choice is added and removed', () => {
  const toggle: SearchAction = { do: 'toggle', facet: 'states', value: 'TX' };
  expect(after(toggle).filter.states).toEqual(['TX']);
  expect(after(toggle, toggle).filter.states).toEqual([]);
  expect(after({ do: 'toggle', facet: 'statuses', value: '4' }).filter.statuses).toEqual(['4']);
  expect(after({ do: 'toggle', facet: 'nothing such', value: 'x' })).toEqual(BLANK_SEARCH);
});

test('the same days are asked of the other date', () => {
  const days = { from: '2026-02-01', to: '2026-02-28' };
  const moved = after({ do: 'preset', preset: 'this_month', today: '2026-02-23' }, { do: 'by', by: 'filed' });
  expect(moved.filter.filed).toEqual(days);
  expect(moved.filter.transaction_effective).toEqual({ from: '', to: '' });
});

test('amounts begin with the largest, names with A, and the same column turns around', () => {
  expect(after({ do: 'sort', sort: 'premium' })).toMatchObject({ sort: 'premium', ascending: false });
  expect(after({ do: 'sort', sort: 'insured' })).toMatchObject({ sort: 'insured', ascending: true });
  expect(after({ do: 'sort', sort: 'insured' }, { do: 'sort', sort: 'insured' }).ascending).toBe(false);
});

test('a saved search comes back with its days', () => {
  const saved = after({ do: 'text', text: 'diner' }, { do: 'days', days: { from: '2026-01-01', to: '' } });
  const opened = reduceSearch(BLANK_SEARCH, { do: 'open', search: toSearchRequest(saved) });
  expect(opened).toEqual(saved);
  expect(isNarrowed(opened)).toBe(true);
  expect(isNarrowed(reduceSearch(opened, { do: 'clear' }))).toBe(false);
});
