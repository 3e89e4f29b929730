import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ColumnRuleSet, ReferenceData, ReviewMatch, ReviewView } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { ReviewView as ReviewScreen } from '../review/ReviewView';

const FIELDS = [
  ['physical_city', 'City of the risk'],
  ['physical_state', 'State of the risk'],
  ['retail_producer', 'Retail producer'],
  ['premium', 'Premium'],
];

const reference = {
  today: '2026-03-01',
  states: [{ code: 'TX', name: 'Texas' }],
  transaction_types: [],
  entity_types: [],
  fee_chargers: [],
  occupancies: [],
  lines: [],
  import_fields: FIELDS.map(([field, title]) => ({
    field,
    title,
    short_title: title,
    kind: field === 'premium' ? 'amount' : 'text',
    chars_max: 50,
    example: '',
    choices: [],
  })),
  column_parts_max: 12,
} as unknown as ReferenceData;

const RULES: ColumnRuleSet = {
  defaults: [{ field: 'retail_producer', value: 'Jones', rows: 12 }],
  splits: [
    {
      column: 1,
      method: 'separators_from_end',
      separators: [' '],
      positions: [],
      parts: [
        { field: 'physical_city', examples: ['San Antonio'] },
        { field: 'physical_state', examples: ['TX'] },
      ],
      short_rows: 3,
    },
  ],
  merges: [],
  charges: [],
  lines: [],
};

const column = (at: number, letters: string, header: string, examples: string[]) => ({
  column: at,
  letters,
  header,
  field: null,
  reason: '',
  examples,
  is_blank: false,
});

const review = {
  id: 'r1',
  stage: 'match',
  name: 'a.csv',
  columns: [column(0, 'A', 'Ref', ['1']), column(1, 'B', 'Location', ['San Antonio TX'])],
  rules: RULES,
  values: [],
  groups: [],
  detected: [],
  left_out: [{ name: 'scan.pdf', why: 'This is a PDF document, not a table.', is_duplicate: false }],
  mapping: '',
  counts: { rows: 20, transactions: 20, ready: 0, errors: 0, sent: 0, warnings: 0, changed: 0, excluded: 0 },
  undo: '',
  redo: '',
} as unknown as ReviewView;

async function show(shown = review) {
  const call = showWithAnswers(<ReviewScreen id="r1" />, reference, {
    review_state: shown,
    review_match: shown,
    review_list: { reviews: [], mappings: [] },
  });
  const card = await screen.findByRole('region', { name: 'Rules of the mapping' });
  const sent = () =>
    call.mock.calls
      .filter(([operation]) => operation === 'review_match')
      .map(([, request]) => (request as ReviewMatch).rules);
  return { card, sent };
}

test('a file that was not read with the others is named with its reason', async () => {
  await show();
  expect(screen.getByLabelText('Not read').textContent).toBe('scan.pdf: This is a PDF document, not a table.');
});

test('each rule says what it makes, and can be removed', async () => {
  const { card, sent } = await show();
  expect(await within(card).findByText('City of the risk: San Antonio; State of the risk: TX')).toBeDefined();
  expect(within(card).getByText('3 without all parts')).toBeDefined();
  expect(within(card).getByText('12 rows')).toBeDefined();
  await userEvent.click(within(card).getByLabelText('Remove Column B Location'));
  await waitFor(() => expect(sent().at(-1)).toEqual({ ...RULES, splits: [] }));
});

test('a rule that is opened and applied again stays as it was', async () => {
  const { card, sent } = await show();
  await userEvent.click(within(card).getByLabelText('Change Column B Location'));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByText('Apply'));
  const blank = (field: string) => ({ field, examples: [] });
  const split = { ...RULES.splits[0], parts: [blank('physical_city'), blank('physical_state')], short_rows: 0 };
  await waitFor(() => expect(sent().at(-1)).toEqual({ ...RULES, splits: [split] }));
});

test('a new rule says what is missing until it is whole', async () => {
  const { card } = await show();
  await userEvent.click(within(card).getByText('Merge columns…'));
  const apply = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Apply' });
  expect(apply.getAttribute('aria-disabled')).toBe('true');
  expect(apply.title).toContain('at least two columns');
});

test('amounts are added, or taken off the first', async () => {
  const merges = [{ columns: [0, 1], separator: '-', field: 'premium', examples: ['100.00', '-25.50'] }];
  const { card, sent } = await show({ ...review, rules: { ...RULES, merges } });
  expect(within(card).getByText('Premium: 100.00 · -25.50')).toBeDefined();
  expect(within(card).getByText('the first less the others')).toBeDefined();
  await userEvent.click(within(card).getByLabelText('Change Columns A Ref, B Location'));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByLabelText('Between them')).toBeNull();
  await userEvent.click(within(dialog).getByLabelText(/^Amounts: First less/));
  await userEvent.click(await screen.findByRole('option', { name: 'Add all of them' }));
  await userEvent.click(within(dialog).getByText('Apply'));
  await waitFor(() => expect(sent().at(-1)?.merges[0]?.separator).toBe('+'));
});

test('rows of charges ask for the field of a word that is not known', async () => {
  const known = { word: 'SLT', field: 'physical_city', ignored: false, rows: 7 };
  const charges = [{ charge: 0, amount: 1, is_type: false, words: [known, { ...known, word: 'KLV', field: null }] }];
  const { card, sent } = await show({ ...review, rules: { ...RULES, charges } });
  expect(within(card).getByText('without a field: “KLV”')).toBeDefined();
  await userEvent.click(within(card).getByLabelText('Change Amounts in B Location, by A Ref'));
  const dialog = await screen.findByRole('dialog');
  const field = within(dialog).getByLabelText<HTMLSelectElement>('Field of “KLV”');
  expect(field.selectedOptions[0]?.text).toBe('Choose…');
  await userEvent.selectOptions(field, 'Don’t import');
  await userEvent.click(within(dialog).getByText('Apply'));
  const words = [{ ...known, word: 'KLV', field: null, ignored: true }, known];
  await waitFor(() => expect(sent().at(-1)?.charges).toEqual([{ ...charges[0], words }]));
});

test('each column of premium has its line of business', async () => {
  const lines = [{ columns: [{ column: 0, line: 'GEN-1002' }], examples: ['GEN-1002'] }];
  const { card, sent } = await show({ ...review, rules: { ...RULES, lines } });
  await userEvent.click(within(card).getByLabelText('Change Columns A Ref'));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByText('Add column'));
  const apply = within(dialog).getByRole('button', { name: 'Apply' });
  await userEvent.selectOptions(within(dialog).getByLabelText('Column 2'), 'B Location');
  expect(apply.title).toContain('in each row');
  await userEvent.click(within(dialog).getByLabelText('Remove column 2'));
  await userEvent.click(apply);
  await waitFor(() => expect(sent().at(-1)?.lines).toEqual([{ columns: lines[0]?.columns, examples: [] }]));
});
