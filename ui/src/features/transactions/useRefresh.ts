import { useEffect, useRef } from 'react';

import type { RefreshState, TransactionsRefresh } from '../../bindings/operations';
import { useOperationAction, useToasts } from '../../operations';
import { useInvalidateIndex, useIndexQuery } from './useIndexQueries';
import type { SearchState } from './searchState';
import { formatCount } from '../../values';

const WORKING_MS = 400;

interface RefreshControl {
  state: RefreshState | undefined;
  running: boolean;
  start(again?: boolean): void;
  cancel(): void;
}

/** Fetching what may have changed: started, watched, canceled; what came is shown as it comes. */
export function useRefresh(search: SearchState): RefreshControl {
  const starting = useOperationAction('transactions_refresh', ['transactions_refresh_state']);
  const canceling = useOperationAction('transactions_refresh_cancel', ['transactions_refresh_state']);
  const { showToast, announce } = useToasts();
  const before = useRef<RefreshState | undefined>(undefined);
  // Automatic refreshes are shown without a toast.
  const asked = useRef(false);
  const watched = useIndexQuery('transactions_refresh_state', {}, { every: WORKING_MS });
  const again = useInvalidateIndex();
  const state = watched.data;
  const running = state?.stage === 'running';
  const seen = `${state?.stage} ${state?.started_at} ${state?.ended_at} ${state?.new ?? 0} ${state?.changed ?? 0}`;
  useEffect(() => {
    const last = before.current;
    before.current = state;
    if (!state || !last) return;
    if (last.new !== state.new || last.changed !== state.changed) again();
    // A short one may be over before it was seen to run.
    const ended = state.stage !== 'running' && (last.stage === 'running' || last.ended_at !== state.ended_at);
    if (!ended || state.stage === 'idle') return;
    again();
    if (state.stage === 'failed') announce(`Loading stopped. ${state.trouble}`);
    else if (asked.current) showToast(`${formatCount(state.new)} new, ${formatCount(state.changed)} changed.`);
    asked.current = false;
    // Only when something happened.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [seen]);
  return {
    state,
    running,
    start: (reload = false) => {
      asked.current = true;
      starting.mutate(buildRefreshRequest(search, reload));
    },
    cancel: () => canceling.mutate({}),
  };
}

/** The days that are looked at; all usual ones without any. */
function buildRefreshRequest({ filter }: SearchState, again: boolean): TransactionsRefresh {
  const { filed, policy_effective, transaction_effective } = filter;
  return { filed, policy_effective, transaction_effective, again };
}
