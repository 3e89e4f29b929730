import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import type { DocumentTarget } from '../bindings/operations';
import { useNavigation } from './navigation';

/** Files that wait to be given their kind and transaction. */
export interface Arriving {
  handles: string[];
  target: DocumentTarget;
  /** Kind that was asked for, or empty. */
  code: string;
}

interface Documents {
  /** The transaction whose documents are on screen; empty for the list. */
  transaction: string;
  /** Opens the documents of a transaction, or the list. */
  open(transaction: string): void;
  arriving: Arriving | null;
  /** Files were dropped or chosen. */
  arrive(arriving: Arriving | null): void;
}

const DocumentsContext = createContext<Documents | null>(null);

/** Where the person is among the documents; kept while other views are on screen. */
export function DocumentPlaceProvider({ children }: { children: ReactNode }) {
  const [transaction, setTransaction] = useState('');
  const [arriving, arrive] = useState<Arriving | null>(null);
  const { go } = useNavigation();
  const open = useCallback(
    (id: string) => {
      setTransaction(id);
      go('documents');
    },
    [go],
  );
  const value = useMemo(() => ({ transaction, open, arriving, arrive }), [transaction, open, arriving]);
  return <DocumentsContext.Provider value={value}>{children}</DocumentsContext.Provider>;
}

export function useDocumentPlace(): Documents {
  const documents = useContext(DocumentsContext);
  if (!documents) throw new Error('There is no DocumentPlaceProvider above this component.');
  return documents;
}
