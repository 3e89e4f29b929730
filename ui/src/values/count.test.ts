import { expect, test } from 'vitest';

import { formatBytes, formatCount, pluralize } from './count';

test('counts are grouped, and one is not many', () => {
  expect(formatCount(1_204_312)).toBe('1,204,312');
  expect([pluralize(1, 'document'), pluralize(0, 'document'), pluralize(1200, 'document')]).toEqual([
    '1 document',
    '0 documents',
    '1,200 documents',
  ]);
  expect([pluralize(1, 'delivery', 'deliveries'), pluralize(2, 'delivery', 'deliveries')]).toEqual([
    '1 delivery',
    '2 deliveries',
  ]);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [12_345, '12 KB'],
  [3_400_000, '3.4 MB'],
])('%i bytes are told as %s', (bytes, told) => expect(formatBytes(bytes)).toBe(told));
