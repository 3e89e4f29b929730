import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { EndorsementAnswer, ReferenceData } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { blankForm } from '../../workbench/quoteForm';
import { useWorkbench } from '../../workbench/Workbench';
import { answer as quoteAnswer } from './answer.fixture';
import { EndorsementDialog } from './EndorsementDialog';

const lines = [
  { code: 'GEN-1002', name: 'Commercial general liability', class: 'general_liability', trade_words: [], taxed: '' },
];
const reference = {
  today: '2026-03-01',
  states: [],
  transaction_types: [],
  lines,
} as unknown as ReferenceData;

const endorsement: EndorsementAnswer = {
  effective: '2026-02-23',
  expires: '2027-02-23',
  endorsed_on: '2026-05-24',
  days: 365,
  days_left: 275,
  factor: '0.753425',
  lines: [{ code: 'GEN-1002', before: '10000.00', after: '12000.00', difference: '1506.85' }],
  before: '10000.00',
  after: '12000.00',
  difference: '1506.85',
  request: { ...blankForm('2026-02-23'), transaction_type: 'APE' },
  answer: quoteAnswer(),
};

function FormType() {
  const { quote } = useWorkbench();
  return <output>{quote.form.transaction_type}</output>;
}

test('the premiums after the change are asked for, and the endorsement becomes the quote', async () => {
  const onClose = vi.fn<() => void>();
  const policy = { ...blankForm('2026-02-23'), lines: [{ code: 'GEN-1002', premium: '10000' }] };
  const call = showWithAnswers(
    <>
      <FormType />
      <EndorsementDialog request={policy} onClose={onClose} />
    </>,
    reference,
    { quote_endorsement: endorsement },
  );
  await userEvent.type(await screen.findByLabelText(/^Changed on/), '5/24/2026');
  const premium = screen.getByLabelText('Commercial general liability');
  await userEvent.clear(premium);
  await userEvent.type(premium, '12000');
  expect(await screen.findByText(/275 of 365 days/)).toBeTruthy();
  expect(screen.getByText('The client pays')).toBeTruthy();
  await vi.waitFor(() =>
    expect(call).toHaveBeenLastCalledWith(
      'quote_endorsement',
      expect.objectContaining({ endorsed_on: '2026-05-24', after: [{ code: 'GEN-1002', premium: '12000' }] }),
    ),
  );
  // What was typed last is answered a moment later, and is taken then.
  await userEvent.clear(premium);
  await userEvent.type(premium, '12001');
  await userEvent.click(screen.getByRole('button', { name: 'Quote the endorsement' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(call).toHaveBeenCalledWith(
    'quote_endorsement',
    // With its thousands marked where the field was left before the pause ended.
    expect.objectContaining({ after: [{ code: 'GEN-1002', premium: expect.stringMatching(/^12,?001/) }] }),
  );
  await vi.waitFor(() => expect(document.querySelector('output')?.textContent).toBe('APE'));
});
