import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { ReferenceData } from '../bindings/operations';
import { showWithAnswers } from '../testing';
import { FindTransactionButton } from './FindTransactionButton';

const row = { id: '31', policy_number: 'R-31', insured: 'Acme Roofing', state: 'TX', transaction_type: 'PN' };

test('a transaction is found by its insured, and by no invoice that is unknown here', async () => {
  const onFound = vi.fn<(id: string) => void>();
  showWithAnswers(<FindTransactionButton group="Practice" onFound={onFound} />, {} as ReferenceData, {
    transactions_search: { rows: [{ ...row, invoice_number: 'INV-31' }], total: 1 },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Find a transaction' }));
  await userEvent.type(screen.getByRole('combobox', { name: 'Choose a transaction' }), 'roof');
  // What is listed for fewer letters can't be picked.
  await vi.waitFor(async () => {
    expect(screen.queryByRole('option', { name: /Invoice number/ })).toBeNull();
    await userEvent.click(screen.getByRole('option', { name: /R-31, Acme Roofing/ }));
    expect(onFound).toHaveBeenCalledWith('31');
  });
});
