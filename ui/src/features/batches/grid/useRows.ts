import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { RowFilter, RowsPage, RowView } from '../../../bindings/operations';
import { usePlatform } from '../../../desk/context';
import type { OperationError, Platform } from '../../../platform';
import { PAGE_ROWS, pagesOf } from './windowing';

/** Which rows of which review. */
export interface RowsOf {
  id: string;
  filter: RowFilter;
  code: string;
}

/** Pages that nobody looks at are let go after this. */
const KEPT_MS = 60_000;
/** While the scroll bar flies no page is asked for. */
const SETTLE_MS = 40;
/** The most pages that are brought together for one copy or paste. */
export const MOST_LOADED = 20_000;

const keyOf = ({ id, filter, code }: RowsOf, from: number) => ['review_rows', id, filter, code, from] as const;

const pageQuery = (platform: Platform, of: RowsOf, from: number) => ({
  queryKey: keyOf(of, from),
  queryFn: () => platform.call('review_rows', { ...of, from, count: PAGE_ROWS }),
  gcTime: KEPT_MS,
});

export interface Rows {
  /** Rows that pass the filter; null until the first page is there. */
  total: number | null;
  error: OperationError | null;
  /** Asks again for what could not be read. */
  again(): void;
  row(index: number): RowView | undefined;
  /** All rows from one to another, asking for the pages that are not here. */
  load(top: number, bottom: number): Promise<RowView[]>;
}

/** The rows between two places, page by page; those already asked for are shown at once. */
export function useRows(of: RowsOf, first: number, end: number): Rows {
  const platform = usePlatform();
  const client = useQueryClient();
  // Sixty rows are never on more than two pages.
  const wanted = useSettled(pagesOf(first, Math.max(end, first + 1)).join(' '))
    .split(' ')
    .map(Number);
  const [here = 0, next] = wanted;
  const one = useQuery<RowsPage, OperationError>(pageQuery(platform, of, here));
  const two = useQuery<RowsPage, OperationError>({
    ...pageQuery(platform, of, next ?? here),
    enabled: next !== undefined,
  });
  const name = `${of.id} ${of.filter} ${of.code}`;
  const [known, setKnown] = useState<{ of: string; total: number | null }>({ of: name, total: null });
  const told = (one.data ?? two.data)?.total;
  const total = told ?? (known.of === name ? known.total : null);
  // Kept while the next pages are on their way.
  if (known.of !== name || known.total !== total) setKnown({ of: name, total });
  // Looked up once for all rows of a page.
  const pages = new Map<number, RowsPage | undefined>();
  const row = (index: number) => {
    const from = index - (index % PAGE_ROWS);
    if (!pages.has(from)) pages.set(from, client.getQueryData<RowsPage>(keyOf(of, from)));
    return pages.get(from)?.rows[index % PAGE_ROWS];
  };
  return {
    total,
    error: one.error ?? two.error,
    again: () => void client.refetchQueries({ queryKey: ['review_rows', of.id], type: 'active' }),
    row,
    load: async (top, bottom) => {
      const last = Math.min(bottom, top + MOST_LOADED - 1);
      const all = await Promise.all(
        pagesOf(top, last + 1).map((from) =>
          client.fetchQuery({ ...pageQuery(platform, of, from), staleTime: Infinity }),
        ),
      );
      const from = top - (top % PAGE_ROWS);
      return all.flatMap((page) => page.rows).slice(top - from, last + 1 - from);
    },
  };
}

/** The first value at once, later ones when they have stood still for a moment. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
