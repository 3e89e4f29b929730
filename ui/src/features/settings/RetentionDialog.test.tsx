import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { RetentionCounts, RetentionRules, RetentionView } from '../../bindings/operations';
import { coreWrapper } from '../../testing';
import { RetentionDialog } from './RetentionDialog';

const RULES: RetentionRules = { documents: 0, rows: null, events: 730, uploads: null, drafts: 400, quotes: null };
const NONE: RetentionCounts = { documents: 0, rows: 0, events: 0, uploads: 0, drafts: 0, quotes: 0 };

test('what goes is counted before it is saved', async () => {
  const view = (rules: RetentionRules): RetentionView => ({
    profile: 'Office',
    rules,
    counts: rules.rows === 365 ? { ...NONE, rows: 3, drafts: 1 } : NONE,
  });
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation, request) =>
    Promise.resolve(view(operation === 'data_retention' ? RULES : (request as RetentionRules))),
  );
  const onClose = vi.fn<() => void>();
  render(<RetentionDialog onClose={onClose} />, { wrapper: coreWrapper(call) });
  expect(await screen.findByText('Nothing is deleted now.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Documents of rows: Until the service has them' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Drafts that were sent: 400 days' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'What was sent of a row, and its messages: Always' }));
  await userEvent.click(await screen.findByRole('option', { name: '1 year' }));
  expect(await screen.findByText('Saving deletes now: 3 rows, 1 draft. This can’t be undone.')).toBeTruthy();
  expect(call).not.toHaveBeenCalledWith('data_retention_save', expect.anything());
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('data_retention_save', { ...RULES, rows: 365 }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});
