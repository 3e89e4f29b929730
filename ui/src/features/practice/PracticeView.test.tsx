import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ReferenceData } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { PracticeView } from './PracticeView';

const reference = { today: '2026-03-01', states: [], import_fields: [] } as unknown as ReferenceData;
const looked = {
  now: '2026-03-01T12:00:00Z',
  moved_seconds: 0,
  faults: 0,
  deliveries_waiting: 0,
  role: 'agency_administrator',
  batches: [],
  deliveries: [],
  mail: [],
  dialects: [],
};
const practice = { profiles: [{ active: true, profile: { id: 'practice', environment: 'practice' } }] };

test('transactions to be filed are found by policy, insured, or invoice', async () => {
  const row = { id: '31', policy_number: 'R-31', insured: 'Acme', state: 'TX', transaction_type: 'PN' };
  const call = showWithAnswers(<PracticeView />, reference, {
    profile_list: practice,
    batch_list: { batches: [] },
    practice_show: looked,
    practice_act: { text: 'Done.', secret: '' },
    transactions_search: { rows: [{ ...row, invoice_number: 'INV-31' }], total: 1 },
  });
  await userEvent.type(await screen.findByLabelText('Only these transactions'), '30');
  await userEvent.keyboard('{Control>}f{/Control}');
  await userEvent.type(screen.getByRole('combobox', { name: 'Choose a transaction' }), 'acme');
  await waitFor(async () => {
    await userEvent.click(screen.getByRole('option', { name: /R-31, Acme/ }));
    expect(screen.getByLabelText<HTMLInputElement>('Only these transactions').value).toBe('30, 31');
  });
  await userEvent.click(screen.getByRole('button', { name: 'File with the state' }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('practice_act', { kind: 'file', batches: [], transactions: ['30', '31'] }),
  );
});

const dialect = (name: string, spoken: boolean) => ({ name, sentence: `Speaks ${name}.`, spoken });

test('a dialect is chosen beside those that are spoken, and all are taken away', async () => {
  const call = showWithAnswers(<PracticeView />, reference, {
    profile_list: practice,
    batch_list: { batches: [] },
    practice_show: { ...looked, dialects: [dialect('rows-late', true), dialect('dates-zero', false)] },
    practice_act: { text: 'Done.', secret: '' },
  });
  const panel = within(await screen.findByRole('region', { name: 'Other providers' }));
  await userEvent.click(await panel.findByText('rows-late'));
  await userEvent.click(panel.getByLabelText('Speaks dates-zero.'));
  const sent = (names: string[]) =>
    waitFor(() => expect(call).toHaveBeenCalledWith('practice_act', { kind: 'dialects', names }));
  await sent(['rows-late', 'dates-zero']);
  await userEvent.click(panel.getByRole('button', { name: 'Respond as usual' }));
  await sent([]);
});
