import { expect } from '@playwright/test';

import type { BatchRowsPage, BatchView, ReviewView, SendPreview } from '../src/bindings/operations';
import type { Desk } from './desk';

const HEAD = [
  'id',
  'policy_number',
  'policy_effective_date',
  'transaction_type',
  'account_written_as',
  'risk_description',
  'line_of_business_list',
  'line_of_business_coverage',
  'insurance_company_list',
  'insurance_company_coverage',
  'premium',
  'mailing_insured_name',
  'physical_state',
  'invoice_number',
  'invoice_date',
];

let turn = 0;

/** A transaction at the practice service, sent as a batch of one; its number and policy number. */
export async function transaction(desk: Desk, state = 'TX'): Promise<{ id: string; policy: string }> {
  turn += 1;
  const policy = `FLOW-${state}-${turn}-${Date.now()}`;
  const row = [
    policy,
    policy,
    '02/23/2026',
    'PN',
    'DC',
    'a warehouse',
    'GEN-1002',
    '1000.00',
    'AA-1120337',
    '100',
    '1000.00',
    'Example Diner LLC',
    state,
    `INV-${policy}`,
    '02/23/2026',
  ];
  const text = [HEAD, row].map((cells) => cells.join('\t')).join('\n');
  const ask = async <T>(operation: string, request: unknown) => (await desk.call(operation, request)) as T;
  let review = await ask<ReviewView>('review_start', { source: { kind: 'pasted', text } });
  const { id } = review;
  await expect
    .poll(async () => (review = await ask<ReviewView>('review_state', { id })).stage, { timeout: 30_000 })
    .not.toBe('reading');
  if (review.stage === 'match')
    review = await ask<ReviewView>('review_match', {
      id,
      overrides: [],
      columns: [],
      values: [],
      use_mapping: '',
      remember_as: '',
      done: true,
    });
  expect(review.stage).toBe('review');
  const preview = await ask<SendPreview>('review_send_preview', { id, scope: 'all' });
  const batch = await ask<BatchView>('review_send', { id, scope: 'all', confirmed: preview.totals, typed: '' });
  await expect
    .poll(async () => (await ask<BatchView>('batch_show', { id: batch.id })).state, { timeout: 60_000 })
    .toBe('processed');
  const page = await ask<BatchRowsPage>('batch_rows', { id: batch.id, state: null, cause: '', from: 0, count: 1 });
  const number = page.rows[0]?.transaction_id ?? '';
  expect(number).not.toBe('');
  // Seen once, it is in the index.
  await ask('transaction_documents', { transaction_id: number, invoice_number: '' });
  return { id: number, policy };
}
