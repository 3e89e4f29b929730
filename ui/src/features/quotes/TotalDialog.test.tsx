import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { PremiumSearchResult, ReferenceData } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { useWorkbench } from '../../workbench/Workbench';
import { TotalDialog } from './TotalDialog';

const reference = { today: '2026-03-01', states: [], transaction_types: [] } as unknown as ReferenceData;

function FirstPremium() {
  const { quote } = useWorkbench();
  return <output>{quote.form.lines[0]?.premium}</output>;
}

async function ask(found: PremiumSearchResult) {
  const onClose = vi.fn<() => void>();
  showWithAnswers(
    <>
      <FirstPremium />
      <TotalDialog request={{} as never} onClose={onClose} />
    </>,
    reference,
    { quote_premium_find: found },
  );
  await userEvent.type(await screen.findByLabelText('Total the client pays'), '10000');
  return onClose;
}

test('an exact premium goes into the form', async () => {
  const exact = { premium: '9521.00', total: '10000.00' };
  const onClose = await ask({ line: 0, exact, below: null, above: null });
  expect(await screen.findByText('$9,521.00')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use this premium' }));
  expect(onClose).toHaveBeenCalled();
  expect(document.querySelector('output')?.textContent).toBe('9,521.00');
});

test('without one the nearest totals are offered', async () => {
  const below = { premium: '966.66', total: '985.66' };
  const above = { premium: '966.67', total: '986.67' };
  await ask({ line: 0, exact: null, below, above });
  expect(await screen.findByText(/Rounding leaves no premium/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /966\.67/ }));
  expect(document.querySelector('output')?.textContent).toBe('966.67');
});

test('Enter right after the last digit takes the premium once it is found', async () => {
  const onClose = await ask({ line: 0, exact: { premium: '9521.00', total: '10000.00' }, below: null, above: null });
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(document.querySelector('output')?.textContent).toBe('9,521.00');
});
