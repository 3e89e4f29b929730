import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { ColumnMatch, IssueGroupView, ReferenceData, ReviewView, ValueMatch } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import type { ReviewOperations } from '../review/useReviewOperations';
import { MatchStep } from './MatchStep';

const TITLES = {
  id: 'Transaction ID',
  premium: 'Premium',
  transaction_type: 'Transaction type',
  policy_number: 'Policy number',
};
const FIELDS = Object.entries(TITLES).map(([field, title]) => ({
  field,
  title,
  short_title: title,
  kind: 'text',
  choices: [],
}));
const reference = {
  today: '2026-03-01',
  states: [],
  transaction_types: [],
  lines: [],
  import_fields: FIELDS,
} as unknown as ReferenceData;

const column = (letters: string, field: string | null) =>
  ({ column: 0, letters, header: '', field, reason: '', examples: [] }) as unknown as ColumnMatch;
const lacking = (field: string, fix: string | null) =>
  ({ code: `missing:${field}`, severity: 'error', fix }) as unknown as IssueGroupView;
const word = (found: string, proposed: string | null) =>
  ({
    field: 'line',
    found,
    rows: 1,
    code: null,
    proposed: proposed === null ? null : { code: proposed, reason: '' },
  }) as ValueMatch;

function show(part: Partial<ReviewView>) {
  const run = vi.fn<() => Promise<null>>(() => Promise.resolve(null));
  const review = {
    id: 'r1',
    name: 'a.xlsx',
    detected: [],
    left_out: [],
    columns: [],
    values: [],
    groups: [],
    rules: { defaults: [], splits: [], merges: [], charges: [], lines: [] },
    counts: { rows: 2 },
    ...part,
  } as unknown as ReviewView;
  showWithAnswers(
    <MatchStep review={review} work={{ run } as unknown as ReviewOperations} onDone={() => undefined} onBack={null} />,
    reference,
    {},
  );
  return run;
}

test('only columns of the file are counted', async () => {
  show({ columns: [column('A', 'policy_number'), column('B', null), column('', 'premium')] });
  expect((await screen.findByRole('heading', { name: /^Columns/ })).textContent).toBe('Columns, 1 of 2 matched');
});

test.each<[string, IssueGroupView[], string | null]>([
  ['nothing is missing', [], null],
  ['one value could be typed for all', [lacking('premium', 'set_value')], '1 required field isn’t matched.'],
  ['an id that one click gives', [lacking('id', 'fill_id')], null],
  ['rows lack a value of a column that is there', [lacking('policy_number', null)], null],
  ['a column that is not there', [lacking('premium', null)], '1 required field isn’t matched.'],
  ['two', [lacking('premium', null), lacking('transaction_type', null)], '2 required fields aren’t matched.'],
])('required fields without a column: %s', async (_, groups, footer) => {
  show({ columns: [column('A', 'policy_number')], groups });
  await screen.findByRole('heading', { name: /^Columns/ });
  expect(screen.queryByText(/required fields? (isn|aren)’t matched/)?.textContent ?? null).toBe(footer);
  const named = () => screen.queryAllByText(/^Premium/, { selector: 'strong' });
  await waitFor(() => expect(named()).toHaveLength(footer === null ? 0 : 1));
});

test('a heading close to a name is said with the reason, and one button matches it', async () => {
  const close = { ...column('A', null), proposed: { field: 'policy_number', reason: 'Close to Policy number.' } };
  const reason = 'Not matched to County fee: its cells are no amounts, such as “Travis”.';
  const misfit = { ...column('B', null), column: 1, proposed: { field: null, reason } };
  const run = show({ columns: [close, misfit] });
  expect(await screen.findByText(/Close to Policy number\./)).toBeTruthy();
  expect(screen.getByText(/its cells are no amounts/)).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Use / })).toHaveLength(1);
  await userEvent.click(await screen.findByRole('button', { name: 'Use Policy number' }));
  expect(run).toHaveBeenCalledWith(
    'review_match',
    expect.objectContaining({ columns: [{ column: 0, field: 'policy_number' }] }),
  );
});

test('all suggested codes are used with one button', async () => {
  const run = show({ values: [word('CGL', 'GEN-1002'), word('WIDGETS', null), word('PROF', 'GEN-1006')] });
  await userEvent.click(await screen.findByRole('button', { name: 'Use 2 suggestions' }));
  const taken = [
    expect.objectContaining({ found: 'CGL', code: 'GEN-1002' }),
    expect.objectContaining({ found: 'PROF', code: 'GEN-1006' }),
  ];
  expect(run).toHaveBeenCalledWith('review_match', expect.objectContaining({ values: taken }));
});

test('words that wait for a code come before the columns, and below them where none does', async () => {
  const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  show({ values: [word('PKG', 'GEN-1004')] });
  await screen.findByRole('heading', { name: 'Value mapping' });
  expect(titles().slice(0, 2)).toEqual(['Value mapping', 'Columns, 0 of 0 matched']);
});
