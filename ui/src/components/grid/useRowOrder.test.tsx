import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { useRowOrder } from './useRowOrder';

afterEach(() => vi.useRealTimers());

test('rows keep their places in the document while they scroll, and stand in order at rest', () => {
  vi.useFakeTimers();
  const from = (first: number) => [first, first + 1, first + 2, first + 3];
  const { result, rerender } = renderHook(({ first }) => useRowOrder(from(first), 4), { initialProps: { first: 0 } });
  expect(result.current).toEqual([0, 1, 2, 3]);
  rerender({ first: 2 });
  expect(result.current).toEqual([4, 5, 2, 3]);
  rerender({ first: 1 });
  expect(result.current).toEqual([4, 1, 2, 3]);
  act(() => vi.runAllTimers());
  expect(result.current).toEqual([1, 2, 3, 4]);
});
