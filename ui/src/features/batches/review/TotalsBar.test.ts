import { expect, test } from 'vitest';

import type { IssueGroupView, ReviewView } from '../../../bindings/operations';
import { sendBlockReason } from './TotalsBar';

const kept = { severity: 'kept', rows: 1 } as IssueGroupView;

test.each<[string, { batch: string | null; is_single: boolean; count: number; groups: IssueGroupView[] }, string]>([
  ['a transaction that is ready', { batch: null, is_single: true, count: 1, groups: [] }, ''],
  ['a corrected transaction', { batch: 'b1', is_single: true, count: 1, groups: [] }, ''],
  ['one whose warning is kept', { batch: 'b1', is_single: true, count: 0, groups: [kept] }, ''],
  [
    'one as it was sent',
    { batch: 'b1', is_single: true, count: 0, groups: [] },
    'Nothing has changed since it was sent',
  ],
  [
    'rows as they were sent',
    { batch: 'b1', is_single: false, count: 0, groups: [] },
    'Only changed rows are sent again',
  ],
  ['rows with errors', { batch: null, is_single: false, count: 0, groups: [] }, 'No rows are ready to send'],
])('%s', (_, { count, ...part }, reason) => {
  const review = { ...part, totals: { count }, counts: { sent: 0, errors: 0 } } as unknown as ReviewView;
  const said = sendBlockReason(review);
  expect(reason === '' ? said : said.slice(0, reason.length)).toBe(reason);
});
