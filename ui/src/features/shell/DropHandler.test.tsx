import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { expect, test, vi } from 'vitest';

import { AppProviders } from '../../AppProviders';
import type { DroppedFile, Platform } from '../../platform';
import { useDocumentPlace } from '../../workbench/documentPlace';
import { useNavigation } from '../../workbench/navigation';
import { useTransactionPlace } from '../../workbench/transactionPlace';
import { DropHandler } from './DropHandler';
import type { ViewName } from '../../views';

/** Opens a transaction in Documents and another in Transactions, then a view; shows where a drop goes. */
function Places({ view }: { view: ViewName }) {
  const { openDocuments, transaction, pendingUpload } = useDocumentPlace();
  const { openTransaction } = useTransactionPlace();
  const { go, view: at } = useNavigation();
  useEffect(() => {
    openDocuments('11');
    openTransaction('22');
    go(view);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <>
      <output>{`${at} ${transaction || 'list'} ${pendingUpload?.target.transaction_id || 'none'}`}</output>
    </>
  );
}

test.each<[ViewName, string]>([
  ['documents', 'documents 11 11'],
  ['transactions', 'documents 22 22'],
  ['quote', 'documents list none'],
])('a document dropped on %s goes to the transaction on screen', async (view, expected) => {
  let drop: (files: DroppedFile[]) => void = () => undefined;
  const platform = {
    call: vi.fn<() => Promise<unknown>>(() => new Promise(() => undefined)),
    onDrop: (taken: typeof drop) => {
      drop = taken;
      return () => undefined;
    },
    onDrag: () => () => undefined,
  } as unknown as Platform;
  render(
    <AppProviders platform={platform}>
      <Places view={view} />
      <DropHandler />
    </AppProviders>,
  );
  expect(screen.getByRole('status').textContent).toContain(view);
  act(() => drop([{ handle: 'h1', name: 'policy.pdf' } as DroppedFile]));
  expect(screen.getByRole('status').textContent).toBe(expected);
});

test('a mapping file is added once its name was shown and confirmed', async () => {
  let drop: (files: DroppedFile[]) => void = () => undefined;
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) =>
    operation === 'mapping_add' ? Promise.resolve({ name: 'Nightly', replaces: true }) : new Promise(() => undefined),
  );
  const platform = {
    call,
    onDrop: (taken: typeof drop) => {
      drop = taken;
      return () => undefined;
    },
    onDrag: () => () => undefined,
  } as unknown as Platform;
  render(
    <AppProviders platform={platform}>
      <DropHandler />
    </AppProviders>,
  );
  act(() => drop([{ handle: 'm1', name: 'ours.BORDEREAU' } as DroppedFile]));
  expect(await screen.findByText(/becomes an earlier version/)).toBeDefined();
  expect(screen.getByRole('dialog').textContent).toContain('ours.BORDEREAU has the mapping Nightly');
  const added = () =>
    call.mock.calls.filter(([operation]) => operation === 'mapping_add').map(([, request]) => request);
  expect(added()).toEqual([{ handle: 'm1', preview: true }]);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(added()).toContainEqual({ handle: 'm1', preview: false });
  expect(call.mock.calls.some(([operation]) => operation === 'review_start')).toBe(false);
});
