import { act, render, screen } from '@testing-library/react';
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
