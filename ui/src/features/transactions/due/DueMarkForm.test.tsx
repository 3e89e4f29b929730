import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { DueEntry, DueList, DueMarkView, ReferenceData } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { Toasts } from '../../shell/Toasts';
import { DueEntryDialog } from './DueEntryDialog';
import { DueTable } from './DueTable';

const entry = (mark: Partial<DueMarkView> | null) =>
  ({
    id: 'd1',
    state: 'TX',
    title: 'Filing',
    rule: '',
    due: '2026-03-01',
    days_left: 2,
    standing: 'later',
    count: 1,
    policy_number: 'P-1',
    transaction_id: '7',
    statutory: null,
    act_by: null,
    period: null,
    billed: null,
    amount: null,
    assumed: null,
    condition: null,
    note: null,
    late: null,
    sureness: 'confirmed',
    checked: '',
    sources: [],
    assigned: null,
    mark,
  }) as unknown as DueEntry;

test.each<[string, Partial<DueMarkView> | null, string, unknown[]]>([
  ['a typed note is saved', null, 'called Kelly', [{ id: 'd1', kind: 'open', note: 'called Kelly' }]],
  [
    'a note of one that is done',
    { kind: 'done', note: '', by: 'me', at: '' },
    'x',
    [{ id: 'd1', kind: 'done', note: 'x' }],
  ],
  ['without a note nothing is saved', null, '', []],
])('closed by Escape: %s', async (_, mark, typed, saved) => {
  const onClose = vi.fn<() => void>();
  const call = showWithAnswers(<DueEntryDialog entry={entry(mark)} onClose={onClose} />, {} as ReferenceData, {
    due_mark: {},
  });
  const note = await screen.findByLabelText('Note', {}, { timeout: 5000 });
  if (typed !== '') await userEvent.type(note, typed);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const asked = call.mock.calls.filter(([operation]) => operation === 'due_mark').map(([, request]) => request);
  expect(asked).toEqual(saved);
});

const table = (...entries: DueEntry[]) =>
  showWithAnswers(
    <>
      <DueTable list={{ entries, total: entries.length } as unknown as DueList} onShow={() => undefined} />
      <Toasts />
    </>,
    {} as ReferenceData,
    { due_mark: {} },
  );
const marked = (call: ReturnType<typeof table>) =>
  call.mock.calls.filter(([operation]) => operation === 'due_mark').map(([, request]) => request);

test('a due date is marked as done in its row, and that is undone', async () => {
  const call = table(entry(null), { ...entry({ kind: 'done', note: '', by: 'me', at: '' }), id: 'd2' });
  const buttons = await screen.findAllByRole('button', { name: /^Mark Filing for .* as done$/ }, { timeout: 5000 });
  expect(buttons).toHaveLength(1);
  await userEvent.click(buttons[0] as HTMLElement);
  await userEvent.click(await screen.findByRole('button', { name: 'Undo: Marked as done.' }));
  await waitFor(() =>
    expect(marked(call)).toEqual([
      { id: 'd1', kind: 'done', note: '' },
      { id: 'd1', kind: 'open', note: '' },
    ]),
  );
});

test('several are marked as done at once, each with its own note', async () => {
  const noted = { ...entry({ kind: 'open', note: 'called', by: 'me', at: '' }), id: 'd2' };
  const call = table(entry(null), noted, { ...entry(null), id: 'd3' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }, { timeout: 5000 }));
  const rows = screen.getAllByRole('checkbox', { name: /^Select Filing/ });
  await userEvent.click(rows[2] as HTMLElement);
  expect(screen.getByRole('checkbox', { name: '2 selected' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Mark selected as done' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo: 2 due dates: Marked as done.' }));
  await waitFor(() =>
    expect(marked(call)).toEqual([
      { id: 'd1', kind: 'done', note: '' },
      { id: 'd2', kind: 'done', note: 'called' },
      { id: 'd1', kind: 'open', note: '' },
      { id: 'd2', kind: 'open', note: 'called' },
    ]),
  );
});
