import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import type { DayRange } from '../bindings/operations';
import { useNavigation } from './navigation';

/** Transactions of a state, and of the days of their effective dates; all of its days where none are given. */
export interface StatePeriod {
  state: string;
  days: DayRange;
}

interface TransactionPlace {
  /** The transaction that is open beside the table; empty for none. */
  transaction: string;
  /** It was opened from another view: the focus belongs to it. */
  arrived: boolean;
  /** Opens a transaction in the view of transactions, from wherever. */
  open(transaction: string): void;
  /** Several that another view wants to see, until they are on screen. */
  asked: StatePeriod | null;
  /** Shows several in the view of transactions, from wherever. */
  ask(asked: StatePeriod): void;
  /** They are on screen. */
  answered(): void;
  /** Opens or closes it within the view. */
  show(transaction: string): void;
}

const TransactionContext = createContext<TransactionPlace | null>(null);

/** Which transaction is open; kept while other views are on screen. */
export function TransactionPlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState({ transaction: '', arrived: false });
  const [asked, setAsked] = useState<StatePeriod | null>(null);
  const { go } = useNavigation();
  const open = useCallback(
    (transaction: string) => {
      setPlace({ transaction, arrived: true });
      go('transactions');
    },
    [go],
  );
  const ask = useCallback(
    (of: StatePeriod) => {
      setPlace({ transaction: '', arrived: false });
      setAsked(of);
      go('transactions');
    },
    [go],
  );
  const answered = useCallback(() => setAsked(null), []);
  const show = useCallback((transaction: string) => setPlace({ transaction, arrived: false }), []);
  const value = useMemo(
    () => ({ ...place, asked, ask, answered, open, show }),
    [place, asked, ask, answered, open, show],
  );
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

/** Shows the transactions of a state and period from another view. */
export function useAskTransactions(): (asked: StatePeriod) => void {
  return useTransactionPlace().ask;
}
