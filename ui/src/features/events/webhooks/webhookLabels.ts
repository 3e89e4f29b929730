import type { DeliveryState, DeliveryTry, DeliveryView, WebhookView } from '../../../bindings/operations';
import type { IconName } from '../../../components/Icon';
import type { TagTone } from '../../../components/Tag';

interface DeliveryLabel {
  word: string;
  tone: TagTone;
  icon: IconName;
}

export const DELIVERY_STATE_LABELS: Record<DeliveryState, DeliveryLabel> = {
  waiting: { word: 'waiting', tone: 'info', icon: 'clock' },
  delivered: { word: 'delivered', tone: 'ok', icon: 'check' },
  failed: { word: 'given up', tone: 'error', icon: 'error' },
  unknown: { word: 'not known', tone: 'neutral', icon: 'info' },
};

export const ANY = 'any';
export const DELIVERY_FILTERS: { code: string; name: string }[] = [
  { code: ANY, name: 'All deliveries' },
  { code: 'waiting', name: 'Waiting' },
  { code: 'failed', name: 'Given up' },
  { code: 'delivered', name: 'Delivered' },
];

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** What came back: the status, or why there was none. */
export function describeResponse({
  response_status: status,
  error,
}: Pick<DeliveryTry, 'response_status' | 'error'>): string {
  if (status === null) return error;
  return status === 200 ? 'Answered with 200' : `Answered with ${status}, which is no success`;
}

/** `All events`, or how many. */
export function describeEvents(webhook: WebhookView, kinds: { code: string; name: string }[]): string {
  if (webhook.events.length === kinds.length) return 'All events';
  const first = kinds.find((kind) => kind.code === webhook.events[0])?.name ?? webhook.events[0] ?? '';
  return webhook.events.length === 1 ? first : `${first} and ${webhook.events.length - 1} more`;
}

/** `2026-11-21 15:04:05 UTC`: the service's clock is not this computer's. */
export function formatServiceTime(instant: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(instant);
  return parts ? `${parts[1]} ${parts[2]} UTC` : instant;
}

/** When it is tried next, or when it was over. */
export function describeSchedule(delivery: DeliveryView): string {
  // Events of one subject are told in their order: behind one that fails the others wait.
  if (delivery.state === 'waiting' && delivery.attempts === 0) return 'waits for its turn';
  if (delivery.next_attempt_at !== null) return `next try ${formatServiceTime(delivery.next_attempt_at)}`;
  return delivery.finished_at === null ? '' : formatServiceTime(delivery.finished_at);
}
