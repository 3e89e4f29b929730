import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

import type { Operations, TransactionRow, TransactionsPage, TransactionsSearch } from '../../bindings/operations';
import { useDebounced } from '../../components';
import { findActiveProfile, usePlatform, useProfiles } from '../../operations';
import type { OperationError } from '../../platform';

type OperationName = keyof Operations;

/** Rows asked for at once. */
export const PAGE = 200;
/** The most rows brought together for one copy. */
export const MAX_COPIED_ROWS = 20_000;
const CACHE_MS = 60_000;
/** While the scroll bar flies no page is asked for. */
const SETTLE_MS = 40;

/** What the index says depends on the profile, and on what was fetched. */
export function useIndexQuery<K extends OperationName>(
  operation: K,
  request: Operations[K]['request'],
  options: { enabled?: boolean; every?: number | false; previous?: boolean } = {},
) {
  const platform = usePlatform();
  const profile = findActiveProfile(useProfiles().data?.profiles)?.profile.id ?? '';
  return useQuery<Operations[K]['answer'], OperationError>({
    queryKey: [operation, profile, request],
    queryFn: () => platform.call(operation, request),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    // Other views and other processes change the index too.
    refetchOnMount: 'always',
    gcTime: CACHE_MS,
    ...(options.previous ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Everything that depends on the index is queried again. */
export function useInvalidateIndex(): () => void {
  const client = useQueryClient();
  return useCallback(
    () =>
      void client.invalidateQueries({
        predicate: ({ queryKey }) => /^transaction|^searches|^due_list|^documents_missing/.test(String(queryKey[0])),
      }),
    [client],
  );
}

interface TransactionRows {
  total: number;
  /** The first answer is there. */
  ready: boolean;
  error: OperationError | null;
  tookUs: number;
  row(index: number): TransactionRow | undefined;
  load(top: number, bottom: number): Promise<TransactionRow[]>;
}

/** The rows of a search around those on the screen. */
export function useTransactionRows(search: TransactionsSearch, first: number, end: number): TransactionRows {
  const platform = usePlatform();
  const client = useQueryClient();
  const profile = findActiveProfile(useProfiles().data?.profiles)?.profile.id ?? '';
  const query = (from: number) => ({
    queryKey: ['transactions_search', profile, { ...search, from, count: PAGE }] as const,
    queryFn: () => platform.call('transactions_search', { ...search, from, count: PAGE }),
    gcTime: CACHE_MS,
    refetchOnMount: 'always' as const,
  });
  const wanted: number[] = [];
  for (let from = first - (first % PAGE); from < Math.max(end, 1); from += PAGE) wanted.push(from);
  const pages = useDebounced(wanted.join(' '), SETTLE_MS).split(' ').map(Number);
  const answers = useQueries({ queries: pages.map(query) });
  const known = answers.find((answer) => answer.data)?.data;
  // The last total stays until the next page is there, so that the table does not jump.
  const [last, setLast] = useState<TransactionsPage | null>(null);
  if (known && known !== last) setLast(known);
  const shown = known ?? last;
  return {
    total: shown?.total ?? 0,
    ready: shown !== null && shown !== undefined,
    error: (answers.find((answer) => answer.error)?.error ?? null) as OperationError | null,
    tookUs: shown?.took_us ?? 0,
    row: (index) => answers[pages.indexOf(index - (index % PAGE))]?.data?.rows[index % PAGE],
    async load(top, bottom) {
      const rows: TransactionRow[] = [];
      for (let from = top - (top % PAGE); from <= bottom; from += PAGE) {
        // One after another: the index is on this machine.
        // oxlint-disable-next-line no-await-in-loop
        const page = await client.fetchQuery(query(from));
        rows.push(...page.rows.filter((_, at) => from + at >= top && from + at <= bottom));
      }
      return rows;
    },
  };
}
