import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { CancellationAnswer, ReferenceData } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { blankForm } from '../../workbench/quoteForm';
import { useWorkbench } from '../../workbench/Workbench';
import { answer as quoteAnswer } from './answer.fixture';
import { Toasts } from '../shell/Toasts';
import { CancellationDialog } from './CancellationDialog';

const reference = { today: '2026-03-01', states: [], transaction_types: [] } as unknown as ReferenceData;

function FormType() {
  const { quote } = useWorkbench();
  return <output>{quote.form.transaction_type}</output>;
}

const cancellation: CancellationAnswer = {
  effective: '2026-02-23',
  expires: '2027-02-23',
  canceled_on: '2026-05-24',
  days: 365,
  days_left: 275,
  factor: '0.753425',
  flat: false,
  minimum_earned: '2500.00',
  lines: [{ code: 'GEN-1002', premium: '10000.00', earned: '2500.00', returned: '7500.00' }],
  premium: '10000.00',
  earned: '2500.00',
  returned: '7500.00',
  request: { ...blankForm('2026-02-23'), transaction_type: 'PC' },
  answer: {
    ...quoteAnswer(),
    total: '-7866.75',
    notes: [{ severity: 'warning', topic: 'Return', html: 'Tax: whether it is given back', source: null }],
  },
};

test('the credit is shown with what is not sure, and becomes the quote', async () => {
  const onClose = vi.fn<() => void>();
  const call = showWithAnswers(
    <>
      <FormType />
      <Toasts />
      <CancellationDialog request={blankForm('2026-02-23')} onClose={onClose} />
    </>,
    reference,
    { quote_cancellation: cancellation },
  );
  expect(await screen.findByText(/Enter the day on which it was canceled/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText(/^Canceled on/), '5/24/2026');
  expect(await screen.findByText(/275 of 365 days/)).toBeTruthy();
  expect(screen.getByText(/whether it is given back/)).toBeTruthy();
  expect(call).toHaveBeenLastCalledWith(
    'quote_cancellation',
    expect.objectContaining({ canceled_on: '2026-05-24', method: 'pro_rata' }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Quote the credit' }));
  expect(onClose).toHaveBeenCalled();
  expect(document.querySelector('output')?.textContent).toBe('PC');
  await userEvent.click(screen.getByRole('button', { name: /^Undo: The credit/ }));
  expect(document.querySelector('output')?.textContent).toBe('PN');
});
