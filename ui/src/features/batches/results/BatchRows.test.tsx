import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { BatchRow, BatchView, ReferenceData } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { useNavigation } from '../../../workbench/navigation';
import { useTransactionPlace } from '../../../workbench/transactionPlace';
import { BatchRows, describeMessage } from './BatchRows';

const row = {
  id: 'a',
  line: 2,
  policy_number: '000123',
  row_state: 'warning',
  premium: '',
  transaction_id: '1260',
  messages: [],
  kept: [],
  uploaded: [],
  evidence: null,
} as unknown as BatchRow;

function Place() {
  const { view } = useNavigation();
  return <output>{`${view} ${useTransactionPlace().transaction}`}</output>;
}

test('the transaction of a row is opened from it', async () => {
  showWithAnswers(
    <>
      <BatchRows batch={{ id: 'b1', name: 'a.csv' } as BatchView} state={null} cause="" />
      <Place />
    </>,
    {} as ReferenceData,
    { batch_rows: { total: 2, rows: [row, { ...row, id: 'b', transaction_id: null }] } },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Show transaction 1260' }, { timeout: 5000 }));
  expect(screen.getAllByRole('button', { name: /^Show transaction/ })).toHaveLength(1);
  expect(screen.getByRole('status').textContent).toBe('transactions 1260');
});

test.each([
  ['documents.POLIC', 'Required document is missing', '“Required document is missing”: POLIC'],
  ['invoice_number', 'Invoice number not provided', '“Invoice number not provided”'],
  ['', 'The service did not answer.', 'The service did not answer.'],
  ['sl_tax', '', ''],
])('of the field “%s” “%s” is shown as %s', (field, text, shown) => {
  expect(describeMessage({ field, text })).toBe(shown);
});

test.each([
  ['PolicyLimit', 'Policy limit', 'Is required', 'Policy limit: “Is required”'],
  ['PolicyLimit', 'Policy limit', 'PolicyLimit is required', '“PolicyLimit is required”'],
  ['riskDescription', 'Risk description', 'Description of risk not provided', '“Description of risk not provided”'],
  ['their_own', 'their_own', 'Is required', '“Is required”'],
])('“%s” (%s) “%s” is shown as %s', (field, title, text, shown) => {
  expect(describeMessage({ field, text }, title)).toBe(shown);
});
