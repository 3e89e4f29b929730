import { useEffect, useState } from 'react';

/** Rows that have not moved for this long count as still. */
const SETTLE_MS = 120;

/**
 * The order of rows in the document. When they are still it is the order on screen, for screen readers.
 * While they scroll each row stays where it is and takes the content of another: nothing is taken out and put in.
 */
export function useRowOrder(rows: number[], slots: number): number[] {
  const first = rows[0] ?? 0;
  const [settledFirst, settle] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => settle(first), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [first]);
  return settledFirst === first ? rows : rows.toSorted((one, other) => (one % slots) - (other % slots));
}
