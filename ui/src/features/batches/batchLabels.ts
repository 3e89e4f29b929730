import type { BatchState, BatchView, RowState } from '../../bindings/operations';
import { ENVIRONMENT_LABELS, type IconName, type TagTone } from '../../components';
import { formatDuration } from '../../operations';

interface StateLabel {
  word: string;
  tone: TagTone;
  icon?: IconName;
}

const BATCH_STATE_LABELS: Record<BatchState, StateLabel> = {
  queued: { word: 'queued', tone: 'neutral', icon: 'clock' },
  sending: { word: 'sending', tone: 'info', icon: 'clock' },
  unknown: { word: 'checking with the service', tone: 'warn', icon: 'unknown' },
  accepted: { word: 'accepted', tone: 'info', icon: 'check' },
  processing: { word: 'processing', tone: 'info', icon: 'clock' },
  processed: { word: 'processed', tone: 'ok', icon: 'check' },
  failed: { word: 'failed', tone: 'error', icon: 'error' },
  canceled: { word: 'canceled', tone: 'neutral', icon: 'close' },
};

/** Where a batch is; one that only a person can decide about says so. */
export function batchStateLabel(batch: BatchView): StateLabel {
  return batch.asks
    ? { word: 'waiting for your decision', tone: 'warn', icon: 'unknown' }
    : BATCH_STATE_LABELS[batch.state];
}

export const ROW_STATE_LABELS: Record<RowState, StateLabel> = {
  pending: { word: 'pending', tone: 'neutral', icon: 'clock' },
  accepted: { word: 'accepted', tone: 'ok', icon: 'check' },
  warning: { word: 'accepted with warnings', tone: 'neutral', icon: 'warning' },
  error: { word: 'rejected', tone: 'error', icon: 'error' },
  saved_incomplete: { word: 'saved as incomplete', tone: 'warn', icon: 'warning' },
  not_sent: { word: 'not sent', tone: 'neutral', icon: 'skipped' },
};

export const ROW_CHIPS: { state: RowState; word: string }[] = [
  { state: 'error', word: 'Rejected' },
  { state: 'saved_incomplete', word: 'Incomplete' },
  { state: 'warning', word: 'Warnings' },
  { state: 'accepted', word: 'Accepted' },
  { state: 'pending', word: 'Pending' },
  { state: 'not_sent', word: 'Not sent' },
];

/** The profile with its environment, which the name may say already. */
export function describeProfile(batch: BatchView): string {
  return [...new Set([batch.profile, ENVIRONMENT_LABELS[batch.environment]])].join(', ');
}

/** `42 per second, 8 sec left`. */
export function describePace(batch: BatchView): string {
  return [
    batch.per_second === null ? '' : `${batch.per_second} per second`,
    batch.seconds_left === null ? '' : `${formatDuration(batch.seconds_left)} left`,
  ]
    .filter(Boolean)
    .join(', ');
}
