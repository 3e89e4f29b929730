import { expect, test } from 'vitest';

import { formatCount, pluralize } from './count';

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
