import { describe, expect, it } from 'vitest';

import type { EventView } from '../../bindings/operations';
import { formatTimestamp } from '../../values/date';
import { eventOrigin, formatEventTime } from './eventLabels';

const EVENT: EventView = {
  id: '1',
  what: 'filed',
  event: 'webhook.transaction.status.filed',
  title: 'Policy 1 filed with the state',
  said_at: '2026-02-23 10:00:00',
  received_at: '2026-02-23T10:00:01Z',
  found_at: null,
  at: '2026-02-23T10:00:01Z',
  read: false,
  repeats: 0,
  batch: '',
  batch_here: null,
  transaction: '17',
  policy_number: '1',
  invoice_number: '',
  state: 'TX',
  signature: 'valid',
  check: 'unchecked',
  assigned: null,
};

describe('an event in words', () => {
  it('says where it comes from', () => {
    expect(eventOrigin(EVENT).word).toBe('signed');
    expect(eventOrigin({ ...EVENT, signature: 'forwarded' }).word).toBe('forwarded');
    expect(eventOrigin({ ...EVENT, received_at: null, signature: 'none' }).word).toBe('found by checking');
  });

  it('shows times in the person’s zone, and text that is no time as it came', () => {
    expect(formatEventTime('2026-02-23 10:00:00')).toBe(formatTimestamp('2026-02-23T10:00:00Z'));
    for (const odd of ['', '2026-13-77 99:00:00', 'yesterday', '1767225600']) expect(formatEventTime(odd)).toBe(odd);
  });
});
