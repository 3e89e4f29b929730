import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { DueEntry, DueList, DueMark, DueMarkView, ReferenceData } from '../../../bindings/operations';
import { OperationError } from '../../../platform';
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
  ['a typed note is saved', null, 'called Kelly', [{ id: 'd1', kind: 'open', note: 'called Kelly', revision: '' }]],
  [
    'a note of one that is done',
    { kind: 'done', note: '', by: 'me', at: '', revision: 'r1' },
    'x',
    [{ id: 'd1', kind: 'done', note: 'x', revision: 'r1' }],
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
    { due_mark: ({ kind }: DueMark) => ({ revision: `of ${kind}` }) },
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
      { id: 'd1', kind: 'done', note: '', revision: '' },
      { id: 'd1', kind: 'open', note: '', revision: 'of done' },
    ]),
  );
});

test('several are marked as done at once, each with its own note', async () => {
  const noted = { ...entry({ kind: 'open', note: 'called', by: 'me', at: '', revision: 'r2' }), id: 'd2' };
  const call = table(entry(null), noted, { ...entry(null), id: 'd3' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }, { timeout: 5000 }));
  const rows = screen.getAllByRole('checkbox', { name: /^Select Filing/ });
  await userEvent.click(rows[2] as HTMLElement);
  expect(screen.getByRole('checkbox', { name: '2 selected' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Mark selected as done' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo: 2 due dates: Marked as done.' }));
  await waitFor(() =>
    expect(marked(call)).toEqual([
      { id: 'd1', kind: 'done', note: '', revision: '' },
      { id: 'd2', kind: 'done', note: 'called', revision: 'r2' },
      { id: 'd1', kind: 'open', note: '', revision: 'of done' },
      { id: 'd2', kind: 'open', note: 'called', revision: 'of done' },
    ]),
  );
});

test('of two people who mark the same, the second is told what both did, and decides', async () => {
  const refused = new OperationError('due_mark', {
    code: 'changed_elsewhere',
    message: 'Bob changed this due date meanwhile, so your change wasn’t saved.',
    details: [{ pointer: '/mark', message: 'Mark: yours is "done", theirs is "not ours".' }],
    retryable: false,
    revision: 'of bob',
  });
  const call = showWithAnswers(
    <>
      <DueTable list={{ entries: [entry(null)], total: 1 } as unknown as DueList} onShow={() => undefined} />
      <Toasts />
    </>,
    {} as ReferenceData,
    { due_mark: ({ revision }: DueMark) => (revision === '' ? Promise.reject(refused) : { revision: 'r3' }) },
  );
  const mark = async () =>
    userEvent.click(await screen.findByRole('button', { name: /^Mark Filing for .* as done$/ }, { timeout: 5000 }));
  await mark();
  expect(await screen.findByText(/Bob changed this due date.*yours is "done", theirs is "not ours"/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Keep theirs' }));
  expect(marked(call), 'theirs stays').toHaveLength(1);
  await mark();
  await userEvent.click(await screen.findByRole('button', { name: 'Put mine in' }));
  await waitFor(() => expect(marked(call).at(-1)).toEqual({ id: 'd1', kind: 'done', note: '', revision: 'of bob' }));
});
