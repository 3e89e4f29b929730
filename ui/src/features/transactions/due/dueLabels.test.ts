import { expect, test } from 'vitest';

import type { DueEntry, DueUrgency } from '../../../bindings/operations';
import { dueTag, formatDaysLeft } from './dueLabels';

test.each([
  [null, ''],
  [0, 'today'],
  [1, 'in 1 day'],
  [1200, 'in 1,200 days'],
  [-1, '1 day ago'],
  [-7, '7 days ago'],
])('%s days are told as “%s”', (days, told) => expect(formatDaysLeft(days)).toBe(told));

test.each<[DueUrgency, number | null, string]>([
  ['overdue', -1, '1 day overdue'],
  ['overdue', -295, '295 days overdue'],
  ['soon', 0, 'today'],
  ['soon', 3, 'in 3 days'],
  ['undated', null, 'no due date'],
])('a tag for %s and %s days says “%s”', (standing, days_left, word) =>
  expect(dueTag({ standing, days_left } as DueEntry).word).toBe(word),
);
