import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { QuoteRequest, ReferenceData } from '../../bindings/operations';
import { WorkbenchProvider } from '../../workbench/Workbench';
import { blankForm } from '../../workbench/quoteForm';
import { coreWrapper } from '../../testing';
import { FeeChargedByField, LineDetailFields } from './DetailFields';

const reference = {
  today: '2026-03-01',
  states: [
    {
      code: 'CT',
      name: 'Connecticut',
      asks_fee_charged_by: true,
      asks_occupancy_on: ['GEN-2000'],
      assessment_title: 'Fund assessment',
      asks_assessment_on: ['GEN-1006'],
    },
  ],
  fee_chargers: [
    { code: 'retail_agent', name: 'Retail agent' },
    { code: 'surplus_lines_licensee', name: 'Surplus lines licensee' },
  ],
  occupancies: [{ code: 'tenant', name: 'Tenant’s policy' }],
  fee_charged_by: 'retail_agent',
} as unknown as ReferenceData;

async function show(change: Partial<QuoteRequest>) {
  const request = { ...blankForm('2026-03-01'), state: 'CT', ...change };
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) =>
    Promise.resolve(operation === 'draft_load' ? { request, at: '' } : { at: '' }),
  );
  render(
    <WorkbenchProvider reference={reference} fallback={null}>
      <p>The form</p>
      <FeeChargedByField />
      <LineDetailFields />
    </WorkbenchProvider>,
    { wrapper: coreWrapper(call) },
  );
  await screen.findByText('The form');
  return call;
}

test('nothing is asked without a fee and a line that needs it', async () => {
  await show({ agency_fee: '0', lines: [{ code: 'GEN-1002', premium: '5' }] });
  expect(screen.queryByText('Agency fee charged by')).toBeNull();
  expect(screen.queryByText('Dwelling')).toBeNull();
  expect(screen.queryByLabelText('Fund assessment rate')).toBeNull();
});

test('who charges the fee is what the profile remembers until the person chooses, and is remembered then', async () => {
  const call = await show({ agency_fee: '100' });
  const field = screen.getByRole('button', { name: /Retail agent/ });
  await userEvent.click(field);
  await userEvent.click(screen.getByRole('option', { name: 'Surplus lines licensee' }));
  expect(screen.getByRole('button', { name: /Surplus lines licensee/ })).toBeTruthy();
  expect(call).toHaveBeenCalledWith('profile_fee_charged_by_save', { fee_charged_by: 'surplus_lines_licensee' });
});

test('a dwelling and an assessment are asked for their lines; a rate that cannot be read says so', async () => {
  await show({
    lines: [
      { code: 'GEN-2000', premium: '5' },
      { code: 'GEN-1006', premium: '5' },
    ],
  });
  expect(screen.getByText('Dwelling')).toBeTruthy();
  const rate = screen.getByLabelText('Fund assessment rate');
  await userEvent.type(rate, '6x');
  expect(screen.getByText(/“6x” isn’t a percentage/)).toBeTruthy();
});
