import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { InspectedFile, NamedTransaction, ReferenceData, TransactionsSearch } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { UploadDialog } from './UploadDialog';

const choice = (code: string, name: string) => ({ code, name, required: false, upload: true, there: false });
const general = [choice('POLIC', 'Policy'), choice('MISC', 'Miscellaneous')];

function named(id: string, policy: string, insured: string): NamedTransaction {
  const transaction = { transaction_id: id, policy_number: policy, insured };
  return { ...transaction, invoice_number: `INV-${id}`, state: 'TX', transaction_type: 'PN' };
}

function looked(name: string, code: string, ...transactions: NamedTransaction[]): InspectedFile {
  const file = { handle: `h-${name}`, file_name: name, bytes: 40, kind: 'PDF document', sha256: 'ab12'.repeat(16) };
  return { ...file, refused: null, code, transactions };
}

const files = [
  looked('0000002 policy.pdf', 'POLIC', named('2', '0000002', 'Insured No. 2')),
  looked('P-9 endorsement.pdf', 'MISC', named('8', 'P-9', 'Acme'), named('9', 'P-9', 'Acme')),
  looked('scan001.pdf', 'MISC'),
];

function show(arriving = { transaction_id: '', invoice_number: '' }) {
  const onClose = vi.fn<() => void>();
  const call = showWithAnswers(
    <UploadDialog arriving={{ handles: ['1'], target: arriving, code: '' }} onClose={onClose} />,
    {} as ReferenceData,
    {
      confirmation_show: { profile: 'Practice', environment: 'practice', type_word: '' },
      documents_inspect: ({ handles }: { handles: string[] }) => ({
        files: handles.length > 0 ? files : [],
        choices: general,
      }),
      transactions_search: ({ filter }: TransactionsSearch) => ({
        rows: filter.text === 'roof' ? [{ ...named('31', 'R-31', 'Acme Roofing'), id: '31' }] : [],
        total: 0,
      }),
      documents_upload: { uploads: [{}, {}, {}], refused: [] },
    },
  );
  return { call, onClose };
}

/** Waits until a field has the focus. */
const focused = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name })));

test('each file goes to the transaction that its name names, or that a person finds', async () => {
  const { call, onClose } = show();
  const row = (name: RegExp) => screen.findByRole('row', { name }, { timeout: 5000 });
  expect((await row(/0000002 policy/)).textContent).toContain('0000002, Insured No. 2');
  expect((await row(/P-9 endorsement/)).textContent).toContain('2 transactions have this number');
  expect(screen.getByText(/1 of 3 documents/)).toBeTruthy();
  const upload = screen.getByRole('button', { name: /Upload 3 documents/ });
  expect(upload.getAttribute('aria-disabled')).toBe('true');

  await userEvent.click(screen.getByRole('button', { name: 'Choose the transaction of P-9 endorsement.pdf' }));
  await userEvent.click(await screen.findByRole('option', { name: /transaction 9/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Choose the transaction of scan001.pdf' }));
  await focused('Choose a transaction');
  await userEvent.keyboard('roof');
  const found = await screen.findByRole('option', { name: /R-31, Acme Roofing/ });
  await userEvent.click(found);
  expect((await row(/scan001/)).textContent).toContain('R-31, Acme Roofing');
  expect(call).not.toHaveBeenCalledWith('documents_upload', expect.anything());

  await userEvent.click(upload);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const sent = call.mock.calls.find(([operation]) => operation === 'documents_upload')?.[1] as unknown;
  expect(
    (sent as { files: { target: { transaction_id: string } }[] }).files.map((file) => file.target.transaction_id),
  ).toEqual(['2', '9', '31']);
});

test('a number that is not on this computer can be given, and a file taken from the list', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: /Choose one transaction for 2 documents/ }));
  await userEvent.type(screen.getByRole('combobox', { name: 'Choose a transaction' }), '1042');
  const options = await screen.findAllByRole('option', { name: /not on this computer/ });
  expect(options.map((each) => each.textContent)).toEqual([
    'Transaction number 1042 not on this computer',
    'Invoice number 1042 not on this computer',
  ]);
  await userEvent.keyboard('{Enter}');
  const scan = await screen.findByRole('row', { name: /scan001/ });
  expect(scan.textContent).toContain('Transaction number 1042');
  await userEvent.click(within(scan).getByRole('button', { name: 'Remove scan001.pdf from the list' }));
  expect(screen.queryByRole('row', { name: /scan001/ })).toBeNull();
  expect(screen.getByRole('button', { name: /Upload 2 documents/ }).getAttribute('aria-disabled')).not.toBe('true');
});

test('no transaction is asked for where one was on screen', async () => {
  const { call } = show({ transaction_id: '17', invoice_number: '' });
  await screen.findByRole('row', { name: /scan001/ });
  expect(screen.queryByRole('columnheader', { name: 'Transaction' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Upload 3 documents/ }));
  expect(call).toHaveBeenCalledWith(
    'documents_upload',
    expect.objectContaining({ target: { transaction_id: '17', invoice_number: '' } }),
  );
});
