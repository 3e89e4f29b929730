import { useEffect, useState } from 'react';

/** The first value at once, a later one when it has not changed for so long. */
export function useDebounced<T>(value: T, forMs: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), forMs);
    return () => clearTimeout(timer);
  }, [value, forMs]);
  return settled;
}
