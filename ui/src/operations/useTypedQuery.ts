import { useEffect, useEffectEvent, useState } from 'react';

import type { Operations } from '../bindings/operations';
import { useDebounced } from '../components/useDebounced';
import { useOperationQuery } from './useOperation';

const PAUSE_MS = 200;

interface Options<K extends keyof Operations> {
  isComplete?(request: Operations[K]['request']): boolean;
  /** Called with the answer to what is typed once it was asked for by `takeAnswer`. */
  onTaken?(answer: Operations[K]['answer']): void;
}

/** What the core answers to what is typed, a moment after the last key. */
export function useTypedQuery<K extends keyof Operations>(
  operation: K,
  request: Operations[K]['request'],
  { isComplete = () => true, onTaken }: Options<K> = {},
) {
  // As text: the objects are new ones each time.
  const now = JSON.stringify(request);
  const typed = useDebounced(now, PAUSE_MS);
  const shown = JSON.parse(typed) as Operations[K]['request'];
  const enabled = isComplete(shown);
  const query = useOperationQuery(operation, shown, { enabled, keepPrevious: true, cacheMs: 0 });
  const answer = enabled && !query.error ? query.data : undefined;
  // Enter pressed at once takes nothing of an earlier input.
  const isSettled = enabled && typed === now && !query.isPlaceholderData;
  const [asked, setAsked] = useState('');
  const isAwaited = asked === now && !query.error;
  const settled = isSettled ? answer : undefined;
  const handOver = useEffectEvent(() => settled !== undefined && onTaken?.(settled));
  useEffect(() => {
    if (isAwaited && settled !== undefined) handOver();
  }, [isAwaited, settled]);
  return {
    query,
    answer,
    isSettled,
    /** The answer is wanted and is not there yet. */
    isAwaited: isAwaited && settled === undefined,
    /** Hands over the answer to what is typed: at once, or when it is there; what is typed after this cancels it. */
    takeAnswer: () => setAsked(now),
  };
}
