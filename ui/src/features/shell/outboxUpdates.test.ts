import { expect, test } from 'vitest';

import type { BatchView } from '../../bindings/operations';
import { formatDuration, describeOutbox } from '../../operations/useOutboxStatus';
import { isSpreadsheet } from './DropHandler';
import { describeBatchEnd } from './useOutboxUpdates';

test.each([
  [8, '8 sec'],
  [89, '89 sec'],
  [180, '3 min'],
  [3900, '1 hr 5 min'],
])('%i seconds are %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

test('the outbox in a line', () => {
  const still = { open: 0, answered: 0, total: 0, seconds_left: null, attention: 0, revision: 1 };
  expect(describeOutbox(still)).toBe('Queue empty');
  expect(describeOutbox({ ...still, open: 1, answered: 2140, total: 4312, seconds_left: 8 })).toBe(
    'Queue: 1 batch, 2,140 of 4,312 done, 8 sec left',
  );
});

test.each([
  ['november.xlsx', true],
  ['EXPORT.CSV', true],
  ['portal.htm', true],
  ['month.zip', true],
  ['documents.csv', false],
  ['policy.pdf', false],
  ['a folder', false],
  ['csv', false],
])('%s is a spreadsheet: %s', (name, expected) => {
  expect(isSpreadsheet(name, ['csv', 'xlsx', 'htm', 'zip'])).toBe(expected);
});

test('the end of a batch is told once', () => {
  const counts = { total: 5, pending: 0, accepted: 3, warning: 1, error: 1, saved_incomplete: 0, not_sent: 0 };
  const batch = { id: 'b', name: 'nov.xlsx', state: 'processed', counts, trouble: '' } as BatchView;
  expect(describeBatchEnd({ ...batch, state: 'processing' }, batch)).toBe(
    'nov.xlsx: 4 processed, 1 with warnings, 1 rejected.',
  );
  expect(describeBatchEnd(batch, batch)).toBeNull();
  expect(describeBatchEnd(undefined, batch)).toBeNull();
});
