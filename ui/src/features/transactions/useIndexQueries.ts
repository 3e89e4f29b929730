import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import type { Operations, TransactionRow, TransactionsSearch } from '../../bindings/operations';
import { PAGE_ROWS } from '../../components/grid/rowWindow';
import { type PagedRows, type PageSource, usePagedRows } from '../../components/grid/usePagedRows';
import { findActiveProfile, usePlatform, useProfiles } from '../../operations';
import type { OperationError } from '../../platform';

type OperationName = keyof Operations;

const CACHE_MS = 60_000;

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

/** The rows of a search around those on the screen. */
export function useTransactionRows(search: TransactionsSearch, first: number, end: number): PagedRows<TransactionRow> {
  const platform = usePlatform();
  const profile = findActiveProfile(useProfiles().data?.profiles)?.profile.id ?? '';
  const source: PageSource<TransactionRow> = {
    queryKey: ['transactions_search', profile, search],
    fetchPage: (from) => platform.call('transactions_search', { ...search, from, count: PAGE_ROWS }),
    refetchOnMount: 'always',
    // The last total stays until the next search is answered, so that the table does not jump.
    totalKey: profile,
  };
  return usePagedRows(source, first, end);
}
