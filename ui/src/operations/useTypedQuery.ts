import type { Operations } from '../bindings/operations';
import { useDebounced } from '../components/useDebounced';
import { useOperationQuery } from './useOperation';

const PAUSE_MS = 200;

/** What the core answers to what is typed, a moment after the last key. */
export function useTypedQuery<K extends keyof Operations>(
  operation: K,
  request: Operations[K]['request'],
  isComplete: (request: Operations[K]['request']) => boolean = () => true,
) {
  // As text: the objects are new ones each time.
  const now = JSON.stringify(request);
  const typed = useDebounced(now, PAUSE_MS);
  const shown = JSON.parse(typed) as Operations[K]['request'];
  const enabled = isComplete(shown);
  const query = useOperationQuery(operation, shown, { enabled, keepPrevious: true, cacheMs: 0 });
  return {
    query,
    answer: enabled && !query.error ? query.data : undefined,
    /** The answer is of what is typed: Enter pressed at once takes nothing of an earlier input. */
    isSettled: enabled && typed === now && !query.isPlaceholderData,
  };
}
