import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { QuoteAnswer, QuoteRequest, ReferenceData } from '../../bindings/operations';
import { OperationError } from '../../platform';
import { showWithAnswers } from '../../testing';
import { ClientSheetDialog } from './ClientSheetDialog';

test.each<[string, string, boolean]>([
  ['/insured', 'Insured’s name', true],
  ['/sheet/carrier', 'Carrier', true],
  ['/lines/0/premium', 'Carrier', false],
])('what is wrong at %s is said at its field', async (pointer, label, isMarked) => {
  const message = 'This is longer than 200 characters. Shorten it.';
  const details = [{ pointer, message }];
  const error = new OperationError('quote_sheet_show', { code: 'validation', message, details, retryable: false });
  showWithAnswers(
    <ClientSheetDialog request={{} as QuoteRequest} answer={{} as QuoteAnswer} onClose={() => undefined} />,
    { today: '2026-03-01', states: [], lines: [] } as unknown as ReferenceData,
    { quote_sheet_show: () => Promise.reject(error) },
  );
  const field = await screen.findByLabelText(label, {}, { timeout: 5000 });
  expect(document.activeElement).toBe(screen.getByLabelText('Insured’s name'));
  await waitFor(() => expect(screen.getAllByText(message)).not.toHaveLength(0), { timeout: 5000 });
  expect(field.getAttribute('aria-invalid') === 'true').toBe(isMarked);
  for (const name of ['Save as PDF', 'E-mail'])
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true').toBe(isMarked);
  expect(screen.queryByText('Check the highlighted fields') === null).toBe(isMarked);
});

test('the template that is chosen makes the sheet, and is remembered', async () => {
  const named = (name: string) => ({ name, text: '', built_in: false });
  const call = showWithAnswers(
    <ClientSheetDialog request={{} as QuoteRequest} answer={{} as QuoteAnswer} onClose={() => undefined} />,
    { today: '2026-03-01', states: [], lines: [] } as unknown as ReferenceData,
    {
      quote_sheet_show: { pages: [] },
      settings_load: { agency: 'Harbor', sheet_template: '' },
      settings_save: (settings: unknown) => settings,
      sheet_template_list: { templates: [named('Standard'), named('Renewals')], chosen: 'Standard' },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Template: Standard' }, { timeout: 5000 }));
  await userEvent.click(await screen.findByRole('option', { name: 'Renewals' }));
  expect(await screen.findByRole('button', { name: 'Template: Renewals' })).toBeTruthy();
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('settings_save', { agency: 'Harbor', sheet_template: 'Renewals' }),
  );
});
