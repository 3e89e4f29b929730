import { describe, expect, test } from 'vitest';

import { findEdge } from './edge';

describe('the edge of the data in a row', () => {
  const texts = ['a', 'b', '', ' ', 'c', '', 'd', 'e'];
  test.each([
    [0, false, 1],
    [1, false, 4],
    [2, false, 4],
    [4, false, 6],
    [7, false, 7],
    [7, true, 6],
    [6, true, 4],
    [4, true, 1],
    [1, true, 0],
    [0, true, 0],
  ])('from %i, backwards %s, it is %i', (from, backwards, to) => {
    expect(findEdge(texts, from, backwards)).toBe(to);
  });

  test('an empty row has its ends', () => {
    expect(findEdge(['', '', ''], 1, false)).toBe(2);
    expect(findEdge(['', '', ''], 1, true)).toBe(0);
  });
});
