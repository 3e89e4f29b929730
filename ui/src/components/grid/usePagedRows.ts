import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { OperationError } from '../../platform';
import { useDebounced } from '../useDebounced';
import { adjacentPages, PAGE_ROWS, pagesForRows } from './rowWindow';

interface Page<Row> {
  rows: Row[];
  total: number;
}

/** Where the pages of a table come from. */
export interface PageSource<Row> {
  /** The beginning of each page's query key: the operation, then what it is asked for. */
  queryKey: readonly unknown[];
  fetchPage(from: number): Promise<Page<Row>>;
  /** Whether pages are asked for again when the table is opened. */
  refetchOnMount?: 'always';
  /** The total stays while this does and the next page isn't here. */
  totalKey: string;
}

export interface PagedRows<Row> {
  /** Rows there are; null until the first page is here. */
  total: number | null;
  error: OperationError | null;
  row(index: number): Row | undefined;
  /** All rows from one to another, asking for the pages that are not here. */
  load(top: number, bottom: number): Promise<Row[]>;
}

/** Pages that no one looks at are removed after this. */
const CACHE_MS = 60_000;
/** While the scroll bar is moving fast, no page is asked for. */
const SETTLE_MS = 40;
/** The most rows that are loaded for one copy or paste. */
export const MAX_LOADED_ROWS = 20_000;

export const pageQuery = <Row>(source: PageSource<Row>, from: number) => ({
  queryKey: [...source.queryKey, from],
  queryFn: () => source.fetchPage(from),
  gcTime: CACHE_MS,
  refetchOnMount: source.refetchOnMount ?? true,
});

/** The rows between two places, page by page; those already asked for are shown at once. */
export function usePagedRows<Row>(source: PageSource<Row>, first: number, end: number): PagedRows<Row> {
  const client = useQueryClient();
  // Sixty rows are never on more than two pages.
  const [here = 0, next] = parseNumbers(
    useDebounced(pagesForRows(first, Math.max(end, first + 1)).join(' '), SETTLE_MS),
  );
  const one = useQuery<Page<Row>, OperationError>(pageQuery(source, here));
  const two = useQuery<Page<Row>, OperationError>({ ...pageQuery(source, next ?? here), enabled: next !== undefined });
  const { totalKey } = source;
  const [known, setKnown] = useState<{ of: string; total: number | null }>({ of: totalKey, total: null });
  // The total of a page that is out of date doesn't count: it may be from before all rows were read.
  const current = (one.isStale ? undefined : one.data?.total) ?? (two.isStale ? undefined : two.data?.total);
  const total = current ?? (known.of === totalKey ? known.total : null) ?? (one.data ?? two.data)?.total ?? null;
  if (known.of !== totalKey || known.total !== total) setKnown({ of: totalKey, total });
  // The pages that come into sight next are here before they do: a row that scrolls in has its texts at once. All rows
  // of a page filled in one frame take more than a frame.
  const beside = adjacentPages(here, next ?? here, total ?? 0).join(' ');
  const sourceName = JSON.stringify(source.queryKey);
  const { dataUpdatedAt } = one;
  useEffect(() => {
    if (dataUpdatedAt === 0) return undefined;
    const timer = setTimeout(() => {
      for (const from of parseNumbers(beside)) void client.prefetchQuery(pageQuery(source, from));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line exhaustive-deps -- the source is another object in each render; its key is what counts
  }, [client, sourceName, beside, dataUpdatedAt]);
  // Looked up once for all rows of a page.
  const pages = new Map<number, Page<Row> | undefined>();
  const row = (index: number) => {
    const from = index - (index % PAGE_ROWS);
    if (!pages.has(from)) pages.set(from, client.getQueryData<Page<Row>>([...source.queryKey, from]));
    return pages.get(from)?.rows[index % PAGE_ROWS];
  };
  return {
    total,
    error: one.error ?? two.error,
    row,
    load: async (top, bottom) => {
      const last = Math.min(bottom, top + MAX_LOADED_ROWS - 1);
      const all = await Promise.all(
        pagesForRows(top, last + 1).map((from) => client.fetchQuery(pageQuery(source, from))),
      );
      const from = top - (top % PAGE_ROWS);
      return all.flatMap((page) => page.rows).slice(top - from, last + 1 - from);
    },
  };
}

const parseNumbers = (list: string) => (list === '' ? [] : list.split(' ').map(Number));
