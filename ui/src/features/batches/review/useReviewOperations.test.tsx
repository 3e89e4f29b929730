import { useQuery } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { RowsQuery } from '../../../bindings/operations';
import { OperationError } from '../../../platform';
import { Toasts } from '../../shell/Toasts';
import { coreWrapper } from '../../../testing';
import { describeConflict, useReviewOperations } from './useReviewOperations';

const EDITS = [{ row: 1, column: 10, text: 'Old Mill' }];

test('both sides of a conflict are said, of many cells the first', () => {
  const columns = [{ column: 10, header: 'Named insured', field: 'mailing_insured_name' }];
  const fieldOf = () => ({ short_title: 'Insured' });
  const rows = [1, 2, 3, 4, 5].map((row) => ({ row, line: row + 1, cells: row === 2 ? [''] : ['Cedar Bakery'] }));
  expect(describeConflict(EDITS, columns, rows, fieldOf)).toEqual([
    'Row 2, Insured: you typed “Old Mill”, and it is “Cedar Bakery” now.',
  ]);
  const many = rows.map(({ row }) => ({ row, column: 10, text: '' }));
  const said = describeConflict(many, columns, rows, fieldOf);
  expect(said[1]).toBe('Row 3, Insured: you typed empty, and it is empty now.');
  expect(said.at(-1)).toBe('And 2 more cells.');
  expect(describeConflict(EDITS, [], rows, fieldOf)).toEqual([]);
});

function Draft() {
  const { edit } = useReviewOperations('r1');
  return <button onClick={() => void edit('Edit', EDITS)}>Type</button>;
}

test.each([
  ['what someone else overtook', 'changed_elsewhere', false, 'Put mine in'],
  ['what the disk had no room for', 'disk_full', true, 'Try again'],
] as const)('%s is put in again by a button', async (_, code, retryable, label) => {
  const message = 'Your last change wasn’t saved.';
  let isOvertaken = true;
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>(() => {
    const refused = new OperationError('review_edit', {
      code,
      message,
      details: [],
      retryable,
    });
    return isOvertaken ? Promise.reject(refused) : Promise.resolve({});
  });
  render(
    <>
      <Draft />
      <Toasts />
    </>,
    { wrapper: coreWrapper(call) },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Type' }));
  expect(await screen.findByText(message)).toBeTruthy();
  isOvertaken = false;
  await userEvent.click(screen.getByRole('button', { name: label }));
  await vi.waitFor(() => expect(call.mock.calls.filter(([operation]) => operation === 'review_edit')).toHaveLength(2));
  expect(call).toHaveBeenLastCalledWith('review_edit', {
    id: 'r1',
    label: 'Edit',
    edits: EDITS,
    typed_over: [],
    seen_changes: null,
  });
  expect(screen.queryByText(message)).toBeNull();
});

test('a change says which draft was seen, and put in again the one seen then', async () => {
  let others = 4;
  const refused = new OperationError('review_areas', {
    code: 'changed_elsewhere',
    message: 'Someone else was first.',
    details: [],
    retryable: false,
  });
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) => {
    const isFirst = operation === 'review_areas' && others === 4;
    if (isFirst) others = 5;
    return isFirst ? Promise.reject(refused) : Promise.resolve({ columns: [], rows: [], changes_of_others: others });
  });
  function Filled() {
    const { run } = useReviewOperations('r1');
    const state = useQuery({ queryKey: ['review_state', { id: 'r1' }], queryFn: () => call('review_state', {}) });
    const rows = { filter: 'all', code: '', columns: [], sort: null } as unknown as RowsQuery;
    const fill = () => void run('review_areas', { id: 'r1', rows, verb: 'Fill', changes: [] });
    return state.data ? <button onClick={fill}>Fill</button> : null;
  }
  render(
    <>
      <Filled />
      <Toasts />
    </>,
    { wrapper: coreWrapper(call) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Fill' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Put mine in' }));
  const fills = () => call.mock.calls.filter(([operation]) => operation === 'review_areas');
  await vi.waitFor(() => expect(fills()).toHaveLength(2));
  expect(fills().map(([, request]) => (request as { seen_changes: number }).seen_changes)).toEqual([4, 5]);
});

test('a text over one that someone else put there meanwhile is asked about first', async () => {
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) =>
    Promise.resolve(
      operation === 'review_rows'
        ? { from: 0, total: 1, rows: [{ row: 1, line: 2, cells: ['Cedar Bakery'], changed: [] }] }
        : { columns: [{ column: 10, header: 'Insured', field: null }] },
    ),
  );
  function Cell({ before }: { before: string }) {
    const { type } = useReviewOperations('r1');
    useQuery({ queryKey: ['review_state', { id: 'r1' }], queryFn: () => call('review_state', {}) });
    const rows = useQuery({ queryKey: ['review_rows', 'r1'], queryFn: () => call('review_rows', {}) });
    const text = { row: 1, column: 10, text: 'Old Mill', before };
    return rows.data ? <button onClick={() => void type('Edit', [text])}>{before}</button> : null;
  }
  render(
    <>
      <Cell before="Insured 1" />
      <Cell before="Cedar Bakery" />
      <Toasts />
    </>,
    { wrapper: coreWrapper(call) },
  );
  const edits = () => call.mock.calls.filter(([operation]) => operation === 'review_edit').length;
  const asked = 'Insured: you typed “Old Mill”, and it is “Cedar Bakery” now.';
  await userEvent.click(await screen.findByRole('button', { name: 'Insured 1' }));
  expect(await screen.findByText(asked)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Keep theirs' }));
  expect(screen.queryByText(asked)).toBeNull();
  expect(edits()).toBe(0);

  await userEvent.click(screen.getByRole('button', { name: 'Insured 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Put mine in' }));
  await vi.waitFor(() => expect(edits()).toBe(1));

  await userEvent.click(screen.getByRole('button', { name: 'Cedar Bakery' }));
  await vi.waitFor(() => expect(edits()).toBe(2));
});

test('a text is asked about that the core knows to be another and the window does not show yet', async () => {
  // Another desk was first beside the cell, then in it.
  const there = ['Insured 1', 'Insured 1', 'Cedar Bakery'];
  let refused = 0;
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) => {
    if (operation === 'review_rows')
      return Promise.resolve({ from: 0, total: 1, rows: [{ row: 1, line: 2, cells: [there[refused]], changed: [] }] });
    if (operation !== 'review_edit')
      return Promise.resolve({ columns: [{ column: 10, header: 'Insured', field: null }] });
    refused += 1;
    return Promise.reject(
      new OperationError('review_edit', { code: 'changed_elsewhere', message: 'x', details: [], retryable: false }),
    );
  });
  const outcome = vi.fn<(outcome: unknown) => void>();
  function Cell() {
    const { type } = useReviewOperations('r1');
    useQuery({ queryKey: ['review_state', { id: 'r1' }], queryFn: () => call('review_state', {}) });
    const rows = useQuery({ queryKey: ['review_rows', 'r1'], queryFn: () => call('review_rows', {}) });
    const text = { row: 1, column: 10, text: 'Old Mill', before: 'Insured 1' };
    return rows.data ? <button onClick={() => void type('Edit', [text]).then(outcome)}>Type</button> : null;
  }
  render(
    <>
      <Cell />
      <Toasts />
    </>,
    { wrapper: coreWrapper(call) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Type' }));
  expect(await screen.findByText('Insured: you typed “Old Mill”, and it is “Cedar Bakery” now.')).toBeTruthy();
  expect(outcome).toHaveBeenCalledWith({ isAsked: true, isFailed: false });
  const edits = call.mock.calls.filter(([operation]) => operation === 'review_edit');
  expect(edits.map(([, request]) => (request as { typed_over: string[] }).typed_over)).toEqual([
    ['Insured 1'],
    ['Insured 1'],
  ]);
});
