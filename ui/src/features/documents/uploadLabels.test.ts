import { expect, test } from 'vitest';

import { formatBytes } from './uploadLabels';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [12_345, '12 KB'],
  [3_400_000, '3.4 MB'],
])('%i bytes are told as %s', (bytes, told) => expect(formatBytes(bytes)).toBe(told));
