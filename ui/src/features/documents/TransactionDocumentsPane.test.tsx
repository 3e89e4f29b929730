import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { AppProviders } from '../../AppProviders';
import type { ReferenceData } from '../../bindings/operations';
import type { Platform } from '../../platform';
import { WorkbenchProvider } from '../../workbench/Workbench';
import { TransactionDocumentsPane } from './TransactionDocumentsPane';

const documents = {
  transaction_id: '17',
  policy_number: 'P-1',
  documents: [{ number: 1, code: 'POLIC', name: 'Rates' }],
  wanted: [],
  missing: [],
  uploads: [],
};

test('a document that can carry macros is opened once that is confirmed', async () => {
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation, request) => {
    if (operation === 'transaction_documents') return Promise.resolve(documents);
    if (operation === 'transaction_document_open') {
      const question = (request as { confirmed: boolean }).confirmed ? '' : 'Rates.xls was not opened.';
      return Promise.resolve({ question });
    }
    return Promise.resolve({ uploads: [], downloads: [], open: 0 });
  });
  render(
    <AppProviders platform={{ call } as unknown as Platform}>
      <WorkbenchProvider reference={{} as ReferenceData} fallback={null}>
        <TransactionDocumentsPane id="17" onBack={() => undefined} onUpload={() => undefined} />
      </WorkbenchProvider>
    </AppProviders>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Open Rates' }));
  await screen.findByText('Rates.xls was not opened.');
  await userEvent.click(screen.getByRole('button', { name: 'Open anyway' }));
  const document = { transaction_id: '17', number: 1 };
  expect(call).toHaveBeenCalledWith('transaction_document_open', { document, confirmed: false });
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith('transaction_document_open', { document, confirmed: true }));
});
