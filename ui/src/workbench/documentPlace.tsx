import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import type { DocumentTarget } from '../bindings/operations';
import { useNavigation } from './navigation';

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

const DocumentsContext = createContext<DocumentPlace | null>(null);

/** Where the person is among the documents; kept while other views are on screen. */
export function DocumentPlaceProvider({ children }: { children: ReactNode }) {
  const [transaction, setTransaction] = useState('');
  const [pendingUpload, setPendingUpload] = useState<PendingUpload | null>(null);
  const { go } = useNavigation();
  const openDocuments = useCallback(
    (id: string) => {
      setTransaction(id);
      go('documents');
    },
    [go],
  );
  const value = useMemo(
    () => ({ transaction, openDocuments, pendingUpload, setPendingUpload }),
    [transaction, openDocuments, pendingUpload],
  );
  return <DocumentsContext.Provider value={value}>{children}</DocumentsContext.Provider>;
}

export function useDocumentPlace(): DocumentPlace {
  const documents = useContext(DocumentsContext);
  if (!documents) throw new Error('There is no DocumentPlaceProvider above this component.');
  return documents;
}
