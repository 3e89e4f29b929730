import { describe, expect, it } from 'vitest';

import { formatTimestamp } from '../../values/date';
import { formatClock } from './practiceLabels';

const STATE = {
  now: '2026-02-23T10:00:00Z',
  moved_seconds: 0,
  batches: [],
  deliveries: [],
  deliveries_waiting: 0,
  faults: 0,
  mail: [],
  dialects: [],
  role: 'support' as const,
};

describe('the practice clock', () => {
  it('says by how much it was moved', () => {
    const cases: [number, string][] = [
      [0, ''],
      [1800, ', 30 min ahead'],
      [7200, ', 2 hr 0 min ahead'],
      [-90 * 60, ', 1 hr 30 min behind'],
    ];
    for (const [moved_seconds, words] of cases)
      expect(formatClock({ ...STATE, moved_seconds })).toBe(`${formatTimestamp(STATE.now)}${words}`);
  });
});
