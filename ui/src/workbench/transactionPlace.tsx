import { type ReactNode, useCallback, useMemo, useState } from 'react';

import type { DayRange } from '../bindings/operations';
import { createRequiredContext } from '../components/requiredContext';
import { useNavigation } from './navigation';
import { useRememberedPlace } from './rememberedPlaces';

/** Transactions of a state, and of the days of their effective dates; all of its days where none are given. */
export interface StatePeriod {
  state: string;
  days: DayRange;
}

interface TransactionPlace {
  /** The transaction that is open beside the table; empty for none. */
  transaction: string;
  /** It was opened from another view: the focus belongs to it. */
  isFromOtherView: boolean;
  /** Opens a transaction in the view of transactions, from wherever. */
  openTransaction(transaction: string): void;
  /** Several that another view wants to see, until they are on screen. */
  requestedPeriod: StatePeriod | null;
  /** Shows several in the view of transactions, from wherever. */
  requestPeriod(asked: StatePeriod): void;
  /** They are on screen. */
  clearRequestedPeriod(): void;
  /** Opens or closes it within the view. */
  selectTransaction(transaction: string): void;
}

const [Provider, useTransactionPlace] = createRequiredContext<TransactionPlace>('transaction place');
export { useTransactionPlace };

const NOT_OPEN = { transaction: '', isFromOtherView: false };

/** Which transaction is open; kept while other views are on screen. */
export function TransactionPlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useRememberedPlace('transactions', NOT_OPEN);
  const [requestedPeriod, setRequestedPeriod] = useState<StatePeriod | null>(null);
  const { go } = useNavigation();
  const openTransaction = useCallback(
    (transaction: string) => {
      setPlace({ transaction, isFromOtherView: true });
      go('transactions');
    },
    [go, setPlace],
  );
  const requestPeriod = useCallback(
    (of: StatePeriod) => {
      setPlace(NOT_OPEN);
      setRequestedPeriod(of);
      go('transactions');
    },
    [go, setPlace],
  );
  const clearRequestedPeriod = useCallback(() => setRequestedPeriod(null), []);
  const selectTransaction = useCallback(
    (transaction: string) => setPlace({ transaction, isFromOtherView: false }),
    [setPlace],
  );
  const value = useMemo(
    () => ({ ...place, requestedPeriod, requestPeriod, clearRequestedPeriod, openTransaction, selectTransaction }),
    [place, requestedPeriod, requestPeriod, clearRequestedPeriod, openTransaction, selectTransaction],
  );
  return <Provider value={value}>{children}</Provider>;
}

/** Opens a transaction from another view. */
export const useOpenTransaction = () => useTransactionPlace().openTransaction;

/** Shows the transactions of a state and period from another view. */
export const useShowTransactions = () => useTransactionPlace().requestPeriod;
