import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { RowFilter, RowsPage, RowView } from '../../../bindings/operations';
import { useDebounced } from '../../../components';
import { usePlatform } from '../../../operations';
import type { OperationError, Platform } from '../../../platform';
import { PAGE_ROWS, adjacentPages, pagesForRows } from '../../../components/grid/rowWindow';

/** Which rows of which review. */
export interface ReviewRowsKey {
  id: string;
  filter: RowFilter;
  code: string;
}

/** Pages that no one looks at are let go after this. */
const CACHE_MS = 60_000;
/** While the scroll bar flies no page is asked for. */
const SETTLE_MS = 40;
/** The most pages that are brought together for one copy or paste. */
export const MAX_LOADED_ROWS = 20_000;

const rowsQueryKey = ({ id, filter, code }: ReviewRowsKey, from: number) =>
  ['review_rows', id, filter, code, from] as const;

const pageQuery = (platform: Platform, of: ReviewRowsKey, from: number) => ({
  queryKey: rowsQueryKey(of, from),
  queryFn: () => platform.call('review_rows', { ...of, from, count: PAGE_ROWS }),
  gcTime: CACHE_MS,
});

export interface ReviewRows {
  /** Rows that pass the filter; null until the first page is there. */
  total: number | null;
  error: OperationError | null;
  /** Asks again for what could not be read. */
  again(): void;
  row(index: number): RowView | undefined;
  /** All rows from one to another, asking for the pages that are not here. */
  load(top: number, bottom: number): Promise<RowView[]>;
}

/** Requests the first rows while the view around them is drawn. */
export function usePrefetchRows(of: ReviewRowsKey): void {
  usePrefetchQuery(pageQuery(usePlatform(), of, 0));
}

/** The rows between two places, page by page; those already asked for are shown at once. */
export function useReviewRows(of: ReviewRowsKey, first: number, end: number): ReviewRows {
  const platform = usePlatform();
  const client = useQueryClient();
  const { id, filter, code } = of;
  // Sixty rows are never on more than two pages.
  const [here = 0, next] = parseNumbers(
    useDebounced(pagesForRows(first, Math.max(end, first + 1)).join(' '), SETTLE_MS),
  );
  const one = useQuery<RowsPage, OperationError>(pageQuery(platform, of, here));
  const two = useQuery<RowsPage, OperationError>({
    ...pageQuery(platform, of, next ?? here),
    enabled: next !== undefined,
  });
  const name = `${of.id} ${of.filter} ${of.code}`;
  const [known, setKnown] = useState<{ of: string; total: number | null }>({ of: name, total: null });
  // A page that changes will not be counted by: it may be one that was brought before they were all read.
  const told = (one.isStale ? undefined : one.data?.total) ?? (two.isStale ? undefined : two.data?.total);
  const total = told ?? (known.of === name ? known.total : null) ?? (one.data ?? two.data)?.total ?? null;
  // Kept while the next pages are on their way.
  if (known.of !== name || known.total !== total) setKnown({ of: name, total });
  // The pages that come into sight next are here before they do: a row that scrolls in has its texts at once. All rows
  // of a page filled in one frame take more than a frame.
  const beside = adjacentPages(here, next ?? here, total ?? 0).join(' ');
  const { dataUpdatedAt } = one;
  useEffect(() => {
    if (dataUpdatedAt === 0) return undefined;
    const timer = setTimeout(() => {
      for (const from of parseNumbers(beside))
        void client.prefetchQuery({ ...pageQuery(platform, { id, filter, code }, from), staleTime: Infinity });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [client, platform, id, filter, code, beside, dataUpdatedAt]);
  // Looked up once for all rows of a page.
  const pages = new Map<number, RowsPage | undefined>();
  const row = (index: number) => {
    const from = index - (index % PAGE_ROWS);
    if (!pages.has(from)) pages.set(from, client.getQueryData<RowsPage>(rowsQueryKey(of, from)));
    return pages.get(from)?.rows[index % PAGE_ROWS];
  };
  return {
    total,
    error: one.error ?? two.error,
    again: () => void client.refetchQueries({ queryKey: ['review_rows', of.id], type: 'active' }),
    row,
    load: async (top, bottom) => {
      const last = Math.min(bottom, top + MAX_LOADED_ROWS - 1);
      const all = await Promise.all(
        pagesForRows(top, last + 1).map((from) =>
          client.fetchQuery({ ...pageQuery(platform, of, from), staleTime: Infinity }),
        ),
      );
      const from = top - (top % PAGE_ROWS);
      return all.flatMap((page) => page.rows).slice(top - from, last + 1 - from);
    },
  };
}

const parseNumbers = (list: string) => (list === '' ? [] : list.split(' ').map(Number));
