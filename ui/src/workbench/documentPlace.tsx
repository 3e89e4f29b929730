import { type ReactNode, useCallback, useMemo, useState } from 'react';

import type { DocumentTarget } from '../bindings/operations';
import { createRequiredContext } from '../components/requiredContext';
import { useNavigation } from './navigation';
import { useRememberedPlace } from './rememberedPlaces';

/** Files that wait to be given their kind and transaction. */
export interface PendingUpload {
  handles: string[];
  target: DocumentTarget;
  /** Kind that was asked for, or empty. */
  code: string;
}

interface DocumentPlace {
  /** The transaction whose documents are on screen; empty for the list. */
  transaction: string;
  /** Opens the documents of a transaction, or the list. */
  openDocuments(transaction: string): void;
  pendingUpload: PendingUpload | null;
  /** Files were dropped or chosen. */
  setPendingUpload(arriving: PendingUpload | null): void;
}

const [Provider, useDocumentPlace] = createRequiredContext<DocumentPlace>('document place');
export { useDocumentPlace };

/** Where the person is among the documents; kept while other views are on screen. */
export function DocumentPlaceProvider({ children }: { children: ReactNode }) {
  const [transaction, setTransaction] = useRememberedPlace('documents', '');
  const [pendingUpload, setPendingUpload] = useState<PendingUpload | null>(null);
  const { go } = useNavigation();
  const openDocuments = useCallback(
    (id: string) => {
      setTransaction(id);
      go('documents');
    },
    [go, setTransaction],
  );
  const value = useMemo(
    () => ({ transaction, openDocuments, pendingUpload, setPendingUpload }),
    [transaction, openDocuments, pendingUpload],
  );
  return <Provider value={value}>{children}</Provider>;
}
