import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { QuoteSummary, ReferenceData } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { blankForm } from '../../../workbench/quoteForm';
import { useWorkbench } from '../../../workbench/Workbench';
import { Toasts } from '../../shell/Toasts';
import { SavedView } from './SavedView';

const TODAY = '2026-03-01';
const reference = { today: TODAY, states: [], transaction_types: [] } as unknown as ReferenceData;
const summary = { id: 'q1', name: 'Harbor Cafe', state: 'TX', transaction_type: 'PN', at: TODAY, total: null };

function FormState() {
  const { quote, change } = useWorkbench();
  return (
    <>
      <output>{quote.form.state}</output>
      <button type="button" onClick={() => change({ do: 'edit', change: { state: 'KY' } })}>
        Type
      </button>
    </>
  );
}

test('opening a saved quote can be undone where something was typed', async () => {
  showWithAnswers(
    <>
      <FormState />
      <Toasts />
      <SavedView />
    </>,
    reference,
    {
      quote_list: { saved: [{ ...summary, saved: true } as QuoteSummary], recent: [] },
      quote_open: {
        id: 'q1',
        name: 'Harbor Cafe',
        request: { ...blankForm(TODAY), state: 'TX' },
        answer: null,
        saved_at: '',
        revision: '',
      },
    },
  );
  const open = await screen.findByRole('button', { name: 'Harbor Cafe' });
  await userEvent.keyboard('{Control>}f{/Control}');
  expect(document.activeElement).toBe(screen.getByLabelText('Search'));
  const state = () => document.querySelector('output')?.textContent;
  await userEvent.click(open);
  expect(state()).toBe('TX');
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Type' }));
  await userEvent.click(open);
  expect(state()).toBe('TX');
  await userEvent.click(screen.getByRole('button', { name: 'Undo: Harbor Cafe was opened.' }));
  expect(state()).toBe('KY');
});
