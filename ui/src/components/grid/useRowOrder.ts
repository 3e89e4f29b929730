import { useEffect, useState } from 'react';

/** Rows that have not moved for so long are at rest. */
const SETTLE_MS = 120;

/**
 * The order in which rows stand in the document. At rest it is theirs, for those who read it from one row to the next.
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
