import type { DeliveryStatus, DeliveryTry, DeliveryView, WebhookView } from '../../../bindings/operations';
import type { IconName, TagTone } from '../../../components';
import { formatTimestamp } from '../../../values';

interface DeliveryLabel {
  word: string;
  tone: TagTone;
  icon: IconName;
}

export const DELIVERY_STATE_LABELS: Record<DeliveryStatus, DeliveryLabel> = {
  waiting: { word: 'waiting', tone: 'info', icon: 'clock' },
  delivered: { word: 'delivered', tone: 'ok', icon: 'check' },
  failed: { word: 'failed', tone: 'error', icon: 'error' },
  unknown: { word: 'unknown', tone: 'neutral', icon: 'info' },
};

export const ANY = 'any';
export const DELIVERY_FILTERS: { code: string; name: string }[] = [
  { code: ANY, name: 'All deliveries' },
  { code: 'waiting', name: 'Waiting' },
  { code: 'failed', name: 'Failed' },
  { code: 'delivered', name: 'Delivered' },
];

/** What came back: the status, or why there was none. */
export function describeResponse({
  response_status: status,
  error,
}: Pick<DeliveryTry, 'response_status' | 'error'>): string {
  if (status === null) return error;
  return status === 200 ? 'Responded with 200' : `Responded with ${status} instead of 200`;
}

/** `All events`, or how many. */
export function describeEvents(webhook: WebhookView, kinds: { code: string; name: string }[]): string {
  if (webhook.events.length === kinds.length) return 'All events';
  const first = kinds.find((kind) => kind.code === webhook.events[0])?.name ?? webhook.events[0] ?? '';
  return webhook.events.length === 1 ? first : `${first} and ${webhook.events.length - 1} more`;
}

/** When it is tried next, or when it was over. */
export function describeSchedule(delivery: DeliveryView): string {
  // Events of one subject are reported in their order: behind one that fails the others wait.
  if (delivery.state === 'waiting' && delivery.attempts === 0) return 'queued';
  if (delivery.next_attempt_at !== null) return `next attempt ${formatTimestamp(delivery.next_attempt_at)}`;
  return delivery.finished_at === null ? '' : formatTimestamp(delivery.finished_at);
}
