import { expect, test } from 'vitest';

import { formatTimestamp } from '../../../values/date';
import { describeResponse, describeEvents, describeSchedule } from './webhookLabels';

test.each([
  [{ response_status: 200, error: '' }, 'Responded with 200'],
  [{ response_status: 204, error: 'Only 200 is success.' }, 'Responded with 204 instead of 200'],
  [{ response_status: null, error: 'Nobody listens there.' }, 'Nobody listens there.'],
])('what came back: %o', (tried, words) => {
  expect(describeResponse(tried)).toBe(words);
});

test('the events it gets', () => {
  const kinds = [
    { code: 'a', name: 'Batch processed' },
    { code: 'b', name: 'Batch failed' },
    { code: 'c', name: 'Filed' },
  ];
  const told = (...events: string[]) => describeEvents({ events } as never, kinds);
  expect(told('a', 'b', 'c')).toBe('All events');
  expect(told('b')).toBe('Batch failed');
  expect(told('a', 'c')).toBe('Batch processed and 1 more');
});

test.each([
  ['waiting', 0, '2026-11-21T15:04:05Z', null, 'queued'],
  ['waiting', 2, '2026-11-21T15:34:05Z', null, `next attempt ${formatTimestamp('2026-11-21T15:34:05Z')}`],
  ['delivered', 1, null, '2026-11-21T15:04:06Z', formatTimestamp('2026-11-21T15:04:06Z')],
])('what it waits for: %s after %i', (state, attempts, next, finished, words) => {
  const delivery = { state, attempts, next_attempt_at: next, finished_at: finished };
  expect(describeSchedule(delivery as never)).toBe(words);
});
