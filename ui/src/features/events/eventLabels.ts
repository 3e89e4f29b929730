import type { EventCheck, EventKindInfo, EventView, ReceiverState } from '../../bindings/operations';
import type { IconName, TagTone } from '../../components';
import { useReferenceData } from '../../operations';
import { formatTimestamp } from '../../values';

const NO_KINDS: EventKindInfo[] = [];

/** The kinds of events in the core's order, all others last. */
export function useEventKinds(): EventKindInfo[] {
  return useReferenceData().data?.event_kinds ?? NO_KINDS;
}

interface EventLabel {
  word: string;
  tone: TagTone;
  icon: IconName;
}

/** Where an event comes from: received and proven, forwarded, or found by asking. */
export function eventOrigin(event: EventView): EventLabel {
  if (event.received_at === null) return { word: 'found by checking', tone: 'warn', icon: 'search' };
  if (event.signature === 'forwarded') return { word: 'forwarded', tone: 'ok', icon: 'check' };
  return { word: 'signed', tone: 'ok', icon: 'check' };
}

export const CHECK_LABELS: Record<EventCheck, EventLabel> = {
  unchecked: { word: 'not verified yet', tone: 'neutral', icon: 'clock' },
  confirmed: { word: 'confirmed by the service', tone: 'ok', icon: 'check' },
  differs: { word: 'not confirmed by the service', tone: 'warn', icon: 'warning' },
};

export const RECEIVER_LABELS: Record<ReceiverState, EventLabel> = {
  off: { word: 'Not receiving', tone: 'neutral', icon: 'skipped' },
  on: { word: 'Receiving', tone: 'ok', icon: 'check' },
  follows: { word: 'Connected to a listener', tone: 'ok', icon: 'check' },
  trouble: { word: 'Can’t receive', tone: 'error', icon: 'error' },
};

/** `Dec 31, 2025, 6:59:00 PM` from the UTC time that the service wrote; anything else is unchanged. */
export function formatEventTime(text: string): string {
  const isServiceTime = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}$/.test(text);
  const instant = `${text.replace(' ', 'T')}Z`;
  return isServiceTime && !Number.isNaN(Date.parse(instant)) ? formatTimestamp(instant) : text;
}
