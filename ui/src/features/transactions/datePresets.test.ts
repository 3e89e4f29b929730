import { expect, test } from 'vitest';

import { type DatePreset, presetRange } from './datePresets';

test.each<[DatePreset, string, string, string]>([
  ['this_month', '2026-02-23', '2026-02-01', '2026-02-28'],
  ['last_month', '2026-01-05', '2025-12-01', '2025-12-31'],
  ['this_quarter', '2026-11-21', '2026-10-01', '2026-12-31'],
  ['last_quarter', '2026-02-23', '2025-10-01', '2025-12-31'],
  ['this_year', '2026-02-23', '2026-01-01', '2026-12-31'],
  ['last_12', '2026-02-23', '2025-02-23', '2026-02-23'],
  ['any', '2026-02-23', '', ''],
])('%s on %s', (preset, today, from, to) => {
  expect(presetRange(preset, today)).toEqual({ from, to });
});
