import type { ReactNode } from 'react';

import type { ReviewCounts, RowFilter } from '../../../bindings/operations';
import { formatCount } from '../../../values';

const CHIPS: { filter: RowFilter; word: string; count: keyof ReviewCounts; sign?: ReactNode }[] = [
  { filter: 'all', word: 'All', count: 'rows' },
  { filter: 'ready', word: 'Ready', count: 'ready' },
  { filter: 'errors', word: 'Errors', count: 'errors', sign: <span className="sign-error">▲</span> },
  { filter: 'warnings', word: 'Warnings', count: 'warnings', sign: <span className="sign-warning">●</span> },
  { filter: 'changed', word: 'Changed', count: 'changed' },
  { filter: 'excluded', word: 'Excluded', count: 'excluded' },
];

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
      <div className="buttons" role="group" aria-label="Rows shown">
        {CHIPS.map((chip) => (
          <button
            key={chip.filter}
            type="button"
            className="chip"
            aria-pressed={filter === chip.filter}
            onClick={() => onFilter(chip.filter)}
          >
            {chip.sign && <span aria-hidden="true">{chip.sign}</span>} {chip.word}{' '}
            <b>{formatCount(counts[chip.count])}</b>
          </button>
        ))}
      </div>
      <span className="spring" />
      {children}
    </div>
  );
}
