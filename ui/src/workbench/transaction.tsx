import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import { useNavigation } from './navigation';

interface TransactionPlace {
  /** The transaction that is open beside the table; empty for none. */
  transaction: string;
  /** It was opened from another view: the focus belongs to it. */
  arrived: boolean;
  /** Opens a transaction in the view of transactions, from wherever. */
  open(transaction: string): void;
  /** Opens or closes it within the view. */
  show(transaction: string): void;
}

const TransactionContext = createContext<TransactionPlace | null>(null);

/** Which transaction is open; kept while other views are on screen. */
export function TransactionPlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState({ transaction: '', arrived: false });
  const { go } = useNavigation();
  const open = useCallback(
    (transaction: string) => {
      setPlace({ transaction, arrived: true });
      go('transactions');
    },
    [go],
  );
  const show = useCallback((transaction: string) => setPlace({ transaction, arrived: false }), []);
  const value = useMemo(() => ({ ...place, open, show }), [place, open, show]);
  return <TransactionContext.Provider value={value}>{children}</TransactionContext.Provider>;
}

export function useTransactionPlace(): TransactionPlace {
  const place = useContext(TransactionContext);
  if (!place) throw new Error('There is no TransactionPlaceProvider above this component.');
  return place;
}

/** Opens a transaction from another view. */
export function useOpenTransaction(): (transaction: string) => void {
  return useTransactionPlace().open;
}
