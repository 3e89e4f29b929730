import { useEffect, useRef } from 'react';

import { usePlatform } from '../../operations/platform';
import type { DeskLink } from '../../platform';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useNavigation } from '../../workbench/navigation';
import { useOpenTransaction } from '../../workbench/transactionPlace';
import { useSavedQuotes } from '../quotes/saved/useSavedQuotes';

/** Shows what a `bordereau://` link points at. */
export function useLinks(): void {
  const platform = usePlatform();
  const openTransaction = useOpenTransaction();
  const { goTo } = useBatchPlace();
  const { go } = useNavigation();
  const { open: openQuote } = useSavedQuotes();
  const follow = ({ kind, id }: DeskLink) => {
    if (kind === 'transaction') return openTransaction(id);
    if (kind === 'quote') return openQuote(id);
    goTo({ at: 'batch', id });
    return go('batches');
  };
  const latest = useRef(follow);
  useEffect(() => {
    latest.current = follow;
  });
  useEffect(() => platform.onLink?.((link) => latest.current(link)), [platform]);
}
