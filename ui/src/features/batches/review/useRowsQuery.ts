import { useState } from 'react';

import type { ColumnFilter, ColumnSort, RowFilter, RowsQuery } from '../../../bindings/operations';

export const ALL_ROWS: RowsQuery = { filter: 'all', code: '', columns: [], sort: null, choice: 0 };
/** The number of the last choice, as far as the core counts. Windows begin at numbers that are far apart. */
let lastChoice = Date.now() % 2 ** 31;

export const isNarrowed = (query: RowsQuery): boolean =>
  query.filter !== 'all' || query.code !== '' || query.columns.length > 0;

interface RowsQueryState {
  query: RowsQuery;
  set(query: RowsQuery): void;
  /** Rows of a filter above the grid, or of one group; what columns ask goes on. */
  show(filter: RowFilter, code?: string): void;
  /** Looks for the rows once more: those that were chosen stay while their cells change. */
  again(): void;
  filterColumn(filter: ColumnFilter): void;
  sort(sort: ColumnSort | null): void;
}

/** Which rows are shown and in which order. `onChange` follows each change: the rows are others then. */
export function useRowsQuery(onChange: () => void): RowsQueryState {
  const [query, setQuery] = useState(ALL_ROWS);
  const choose = (next: RowsQuery): RowsQuery => {
    lastChoice += 1;
    return { ...next, choice: isNarrowed(next) || next.sort ? lastChoice : 0 };
  };
  const set = (next: RowsQuery) => {
    setQuery(choose(next));
    onChange();
  };
  return {
    query,
    set,
    show: (filter, code = '') => set({ ...query, filter, code }),
    filterColumn: (filter) => {
      const others = query.columns.filter((each) => each.column !== filter.column);
      const asks = filter.text !== '' || filter.values.length > 0;
      set({ ...query, columns: asks ? [...others, filter] : others });
    },
    sort: (sort) => set({ ...query, sort }),
    again: () => setQuery(choose),
  };
}
