import type { ReactNode } from 'react';

import type { ReviewCounts, RowFilter } from '../../../bindings/operations';
import { Chips } from '../Chips';

interface FilterChip {
  filter: RowFilter;
  word: string;
  count(counts: ReviewCounts): number;
  sign?: ReactNode;
  /** Not shown where it has no rows. */
  isRare?: boolean;
}

const CHIPS: FilterChip[] = [
  { filter: 'all', word: 'All', count: (counts) => counts.rows },
  { filter: 'ready', word: 'Ready', count: (counts) => counts.ready },
  { filter: 'errors', word: 'Errors', count: countToCorrect, sign: <span className="sign-error">▲</span> },
  {
    filter: 'warnings',
    word: 'Warnings',
    count: (counts) => counts.warnings,
    sign: <span className="sign-warning">●</span>,
  },
  { filter: 'sent', word: 'Sent', count: (counts) => counts.sent, isRare: true },
  { filter: 'changed', word: 'Changed', count: (counts) => counts.changed },
  { filter: 'excluded', word: 'Excluded', count: (counts) => counts.excluded },
];

/** Rows with something to correct: what was sent before is no error of the file. */
export function countToCorrect(counts: ReviewCounts): number {
  return counts.errors - counts.sent;
}

interface Props {
  counts: ReviewCounts;
  filter: RowFilter;
  onFilter(filter: RowFilter): void;
  children?: ReactNode;
}

/** Which rows are shown, with how many there are. */
export function FilterChips({ counts, filter, onFilter, children }: Props) {
  return (
    <div className="in-line chips">
      <Chips
        label="Rows shown"
        chosen={filter}
        onChoose={onFilter}
        chips={CHIPS.filter((chip) => !chip.isRare || chip.count(counts) > 0 || chip.filter === filter).map(
          ({ filter: key, word, count, sign }) => ({ key, word, count: count(counts), sign }),
        )}
      />
      <span className="spring" />
      {children}
    </div>
  );
}
