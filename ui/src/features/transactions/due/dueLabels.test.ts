import { expect, test } from 'vitest';

import { formatDaysLeft } from './dueLabels';

test.each([
  [null, ''],
  [0, 'today'],
  [1, 'in 1 day'],
  [1200, 'in 1,200 days'],
  [-1, '1 day ago'],
  [-7, '7 days ago'],
])('%s days are told as “%s”', (days, told) => expect(formatDaysLeft(days)).toBe(told));
