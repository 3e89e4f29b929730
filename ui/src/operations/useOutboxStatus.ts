import type { OutboxStatus } from '../bindings/operations';
import { useOperationQuery } from './useOperation';
import { formatCount, pluralize } from '../values';

const WORKING_MS = 1000;
const RESTING_MS = 10_000;

/** The outbox in a line; polled every second while something is being sent. */
export const useOutboxStatus = () =>
  useOperationQuery(
    'outbox_status',
    {},
    {
      refetchEvery: (now) => (now && now.open > 0 ? WORKING_MS : RESTING_MS),
    },
  );

/** `8 sec`, `3 min`, `1 hr 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${seconds} sec`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} hr ${minutes % 60} min`;
}

/** `Queue: 1 batch, 2,140 of 4,312 done, 8 sec left`. */
export function describeOutbox(now: OutboxStatus): string {
  if (now.open === 0) return 'Queue empty';
  const left = now.seconds_left === null ? '' : `, ${formatDuration(now.seconds_left)} left`;
  const batches = pluralize(now.open, 'batch', 'batches');
  return `Queue: ${batches}, ${formatCount(now.answered)} of ${formatCount(now.total)} done${left}`;
}
