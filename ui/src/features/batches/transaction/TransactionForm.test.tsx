import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { CellEdit, ImportField, IssueView, ReferenceData, ReviewView } from '../../../bindings/operations';
import { OperationError } from '../../../platform';
import { showWithAnswers } from '../../../testing';
import { Toasts } from '../../shell/Toasts';
import { ReviewView as ReviewScreen } from '../review/ReviewView';

const FIELDS: [string, ImportField['kind'], string][] = [
  ['policy_number', 'identifier', 'Policy number'],
  ['line_of_business_list', 'list', 'Lines of business'],
  ['line_of_business_coverage', 'shares', 'Premium of each line'],
  ['premium', 'amount', 'Premium'],
  ['sl_tax', 'amount', 'Surplus lines tax'],
  ['physical_state', 'code', 'State of the risk'],
];
const CELLS = ['', 'GEN-1002', '1000', '1000', '50.00', 'TX'];

const reference = {
  today: '2026-03-01',
  states: [],
  transaction_types: [],
  entity_types: [],
  fee_chargers: [],
  occupancies: [],
  lines: [{ code: 'GEN-1002', name: 'General liability', class: '' }],
  import_fields: FIELDS.map(([field, kind, title]) => ({
    field,
    title,
    short_title: title,
    kind,
    chars_max: 50,
    choices: [],
    example: '',
  })),
} as unknown as ReferenceData;

const review = {
  id: 'r1',
  stage: 'review',
  name: 'New transaction',
  is_single: true,
  columns: FIELDS.map(([field], column) => ({
    column,
    letters: '',
    header: field,
    field,
    reason: 'template',
    examples: [],
  })),
  counts: { rows: 1, transactions: 1, ready: 0, errors: 1, warnings: 0, changed: 0, excluded: 0 },
  totals: { count: 0, premium: '0.00', taxes: '0.00', stamping: '0.00', states: [] },
  groups: [
    {
      code: 'tax_differs',
      title: 'A tax',
      severity: 'warning',
      rows: 1,
      summary: '',
      first_row: 1,
      first_column: 4,
      fix: 'use_calculated',
      fix_label: 'Use',
    },
  ],
  detected: [],
  documents_matched: 0,
  undo: '',
  redo: '',
  stored_at: '',
  batch: null,
} as unknown as ReviewView;

function issue(part: Partial<IssueView>): IssueView {
  return {
    code: 'missing',
    title: 'A required value that is missing',
    severity: 'error',
    place: '',
    message: 'Row 1, column A "policy_number": found nothing, expected the policy number.',
    provided: null,
    calculated: null,
    difference: null,
    fix: null,
    fix_label: null,
    why: null,
    kept: null,
    ...part,
  };
}

const TAX = issue({
  code: 'tax_differs',
  title: 'A tax that differs',
  severity: 'warning',
  message: 'Found 50.00, expected 48.50.',
  provided: '50.00',
  calculated: '48.50',
  difference: '-1.50',
  fix: 'use_calculated',
  fix_label: 'Use calculated 48.50',
});

async function show(cells = CELLS) {
  const row = {
    row: 1,
    line: 2,
    cells,
    changed: [],
    excluded: false,
    documents: 0,
    marks: [
      { column: 0, severity: 'error', code: 'missing' },
      { column: 4, severity: 'warning', code: 'tax_differs' },
    ],
  };
  const screenWithToasts = (
    <>
      <ReviewScreen id="r1" />
      <Toasts />
    </>
  );
  const call = showWithAnswers(screenWithToasts, reference, {
    review_state: review,
    review_edit: review,
    review_fix: { total: 1, changes: [], review },
    quote_estimate: {
      premium: '1000.00',
      total: '1048.50',
      fields: [{ field: 'sl_tax', title: '', plain_title: '', amount: '48.50', idle: false }],
    },
    review_rows: () => ({ total: 1, from: 0, rows: [{ ...row, cells: [...cells] }] }),
    review_issues: ({ column }: { column?: number | null }) => ({ issues: column === 0 ? [issue({})] : [TAX] }),
  });
  // The form is a script of its own.
  await screen.findByLabelText('Policy number', {}, { timeout: 5000 });
  const edits = () =>
    call.mock.calls
      .filter(([operation]) => operation === 'review_edit')
      .flatMap(([, request]) => (request as { edits: CellEdit[] }).edits);
  return { call, edits };
}

test('what is typed is stored in its cell, and issues are shown at their fields', async () => {
  const { edits } = await show();
  // A field that is still to be filled in is no mistake yet.
  const field = await screen.findByLabelText(/^Policy number/);
  await waitFor(() => expect(field.getAttribute('aria-required')).toBe('true'));
  expect(screen.queryByText('Required.')).toBeNull();
  expect(screen.queryByText('Found nothing, expected the policy number.')).toBeNull();
  await userEvent.click(field);
  await userEvent.tab();
  expect(await screen.findByText('Required.')).toBeTruthy();
  expect(await screen.findAllByText('Found nothing, expected the policy number.')).not.toHaveLength(0);
  await userEvent.type(field, '0012');
  await waitFor(() => expect(edits().at(-1)).toEqual({ row: 1, column: 0, text: '0012' }));
});

test('a text over one that someone else put there while it was typed is asked about, and nothing is sent', async () => {
  const cells = [...CELLS];
  const { call, edits } = await show(cells);
  const use = await screen.findByRole('button', { name: 'Use calculated 48.50' });
  const field = await screen.findByLabelText(/^Policy number/);
  fireEvent.change(field, { target: { value: 'P-7' } });
  // Theirs arrives with what is read after the next change.
  cells[0] = 'P-9';
  fireEvent.click(use);
  const reads = () => call.mock.calls.filter(([operation]) => operation === 'review_rows').length;
  const before = reads();
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  expect(await screen.findByText('Policy number: you typed “P-7”, and it is “P-9” now.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(field).toHaveProperty('value', 'P-9'));
  expect(edits()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Put mine in' }));
  await waitFor(() => expect(edits()).toEqual([{ row: 1, column: 0, text: 'P-7' }]));
});

test('what could not be stored stays in its field and is stored with what is typed next', async () => {
  const { call, edits } = await show();
  const answer = call.getMockImplementation();
  let isFull = true;
  call.mockImplementation((operation, request) =>
    operation === 'review_edit' && isFull
      ? Promise.reject(
          new OperationError(operation, {
            code: 'disk_full',
            message: 'Nothing was saved.',
            details: [],
            retryable: true,
          }),
        )
      : answer?.(operation, request),
  );
  const field = await screen.findByLabelText(/^Policy number/);
  fireEvent.change(field, { target: { value: 'P-7' } });
  expect(await screen.findByText(/Nothing was saved/)).toBeTruthy();
  expect(field).toHaveProperty('value', 'P-7');
  const tries = edits().length;
  await userEvent.click(screen.getByRole('button', { name: /Send transaction/ }));
  await waitFor(() => expect(edits()).toHaveLength(tries + 1));
  expect(screen.queryByRole('dialog')).toBeNull();
  isFull = false;
  fireEvent.change(screen.getByLabelText(/^State of the risk/), { target: { value: 'CA' } });
  await waitFor(() =>
    expect(edits().slice(tries + 1)).toEqual([
      { row: 1, column: 0, text: 'P-7' },
      { row: 1, column: 5, text: 'CA' },
    ]),
  );
});

test('sending waits until what was typed is stored', async () => {
  const { call, edits } = await show();
  const answer = call.getMockImplementation();
  let finish = () => undefined as unknown;
  call.mockImplementation((operation, request) =>
    operation === 'review_edit'
      ? new Promise((resolve) => {
          finish = () => resolve(answer?.(operation, request));
        })
      : answer?.(operation, request),
  );
  fireEvent.change(await screen.findByLabelText(/^Policy number/), { target: { value: 'P-7' } });
  await waitFor(() => expect(edits()).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: /Send transaction/ }));
  expect(screen.queryByText(/Correct the errors first/)).toBeNull();
  finish();
  expect(await screen.findByText(/Correct the errors first/)).toBeTruthy();
  expect(edits()).toHaveLength(1);
});

test('the calculated amount is beside what was typed and is used by a button', async () => {
  const { edits } = await show();
  const name = 'Use the calculated amount for Surplus lines tax';
  // It is asked for once nothing was typed for a moment.
  const use = await screen.findByRole('button', { name }, { timeout: 5000 });
  await userEvent.click(use);
  await waitFor(() => expect(edits().at(-1)).toEqual({ row: 1, column: 4, text: '48.50' }));
  await userEvent.click(screen.getByRole('button', { name: 'Use all calculated' }));
  await waitFor(() => expect(edits().some((edit) => edit.column === 3 && edit.text === '1000.00')).toBe(true));
});

test('a second line goes into the same two cells', async () => {
  const { edits } = await show();
  await userEvent.click(screen.getByRole('button', { name: 'Add line' }));
  await userEvent.type(screen.getByLabelText('Premium 2'), '250');
  await waitFor(() => {
    const last = edits().findLast((edit) => edit.column === 2);
    expect(last?.text).toBe('1000 | 250');
  });
});

test('the first field to fill in has the focus; with errors it is not sent, and marks them', async () => {
  const { call } = await show();
  expect(screen.queryByText('Required.')).toBeNull();
  const field = screen.getByLabelText(/^Policy number/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.click(screen.getByRole('button', { name: /Send transaction/ }));
  expect(await screen.findByText('Required.')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(call.mock.calls.filter(([operation]) => operation.startsWith('batch_'))).toEqual([]);
});

test('what was typed last is stored when another view is opened at once', async () => {
  const { edits } = await show();
  await userEvent.type(screen.getByLabelText(/^Policy number/), '7');
  cleanup();
  await waitFor(() => expect(edits().at(-1)).toEqual({ row: 1, column: 0, text: '7' }));
});

test.each([
  ['a form that is left blank leaves no draft', CELLS.map(() => ''), 1],
  ['a form that is left with something in it leaves a draft', CELLS, 0],
])('%s', async (_, cells, times) => {
  const { call } = await show(cells);
  await userEvent.click(screen.getByRole('button', { name: 'All batches' }));
  expect(call.mock.calls.filter(([operation]) => operation === 'review_close')).toHaveLength(times);
});
