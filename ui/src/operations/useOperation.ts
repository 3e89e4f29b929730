import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

import type { Operations, ProfileView } from '../bindings/operations';
import type { OperationError } from '../platform';
import { usePlatform } from './platform';
import { useToasts } from './toasts';

type OperationName = keyof Operations;
type OperationRequest<K extends OperationName> = Operations[K]['request'];
type OperationAnswer<K extends OperationName> = Operations[K]['answer'];

/** The core is on this machine and decides itself about retries: nothing is asked twice behind its back. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, staleTime: Infinity },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

interface QueryOptions<K extends OperationName> {
  enabled?: boolean;
  refetchEvery?: number | ((answer: OperationAnswer<K> | undefined) => number);
  /** Other views change the answer: queried again whenever a view that shows it is opened. */
  alwaysRefetch?: boolean;
  /** The last answer is shown until the next one is here. */
  keepPrevious?: boolean;
  /** How long an answer is kept that no one looks at. */
  cacheMs?: number;
}

/** The request is optional where the operation needs none. */
type QueryArguments<K extends OperationName> =
  Record<string, never> extends OperationRequest<K>
    ? [request?: OperationRequest<K>, options?: QueryOptions<K>]
    : [request: OperationRequest<K>, options?: QueryOptions<K>];

/** The answer of an operation, cached by its request. */
export function useOperationQuery<K extends OperationName>(
  operation: K,
  ...[given, options = {}]: QueryArguments<K>
): UseQueryResult<OperationAnswer<K>, OperationError> {
  const request = (given ?? {}) as OperationRequest<K>;
  const platform = usePlatform();
  return useQuery<OperationAnswer<K>, OperationError>({
    queryKey: [operation, request],
    queryFn: () => platform.call(operation, request),
    enabled: options.enabled ?? true,
    refetchOnMount: options.alwaysRefetch ? 'always' : true,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(options.cacheMs === undefined ? {} : { gcTime: options.cacheMs }),
    refetchInterval: (query) =>
      typeof options.refetchEvery === 'function'
        ? options.refetchEvery(query.state.data)
        : (options.refetchEvery ?? false),
  });
}

export const useReferenceData = () => useOperationQuery('reference_data');
/** A service that starts is ready in a moment: the line does not say otherwise for longer. */
export const useServiceStatus = () =>
  useOperationQuery('status_show', {}, { refetchEvery: (now) => (now?.service === 'starting' ? 500 : 10_000) });
export const useProfiles = () => useOperationQuery('profile_list');
export const useSecretsStatus = () => useOperationQuery('secrets_status');
export const useSettings = () => useOperationQuery('settings_load');
/** What shows the quotes there are. */
export const QUOTE_QUERIES: OperationName[] = ['quote_list', 'today_show'];

export const useQuoteList = () => useOperationQuery('quote_list');

/** Operations to query again; `'everything'` where no view may show what it had. */
type Refreshed = OperationName[] | 'everything';

/** An operation that the person starts, not twice at once; afterwards the named operations are queried again. */
export function useOperationMutation<K extends OperationName>(
  operation: K,
  refresh: Refreshed = [],
  onError?: (error: OperationError) => void,
): UseMutationResult<OperationAnswer<K>, OperationError, OperationRequest<K>> {
  const platform = usePlatform();
  const client = useQueryClient();
  // A mark, not state: the second press of a key that is held comes before the first one is drawn.
  const running = useRef(new Set<string>());
  const mutation = useMutation<OperationAnswer<K>, OperationError, OperationRequest<K>>({
    mutationFn: (request) => platform.call(operation, request),
    onError: (error) => onError?.(error),
    // Not waited for: what was done is said at once, and a dialog that is done keeps no key from the view behind it.
    onSettled: (_answer, _error, request) => {
      if (refresh === 'everything') client.removeQueries({ type: 'inactive' });
      const queries = refresh === 'everything' ? [{}] : refresh.map((name) => ({ queryKey: [name] }));
      void Promise.all(queries.map((each) => client.invalidateQueries(each))).finally(() =>
        running.current.delete(JSON.stringify(request)),
      );
    },
  });
  const { mutate: start } = mutation;
  const mutate = useCallback<typeof start>(
    (...started) => {
      const asked = JSON.stringify(started[0]);
      if (running.current.has(asked)) return;
      running.current.add(asked);
      start(...started);
    },
    [start],
  );
  return { ...mutation, mutate };
}

/** Runs a task unless the last one is still at work: a key that is held starts one. */
export function useRunAlone(): (task: () => Promise<void>) => Promise<void> {
  const running = useRef(false);
  return useCallback(async (task) => {
    if (running.current) return;
    running.current = true;
    await task().finally(() => {
      running.current = false;
    });
  }, []);
}

/** An operation that the person starts where there is no place for an error: it is shown as a toast. */
export function useOperationAction<K extends OperationName>(operation: K, refresh: Refreshed = []) {
  return useOperationMutation(operation, refresh, useToasts().showError);
}

/** An operation that writes a file where the person says: its name is reported once it is there. */
export function useFileSave<K extends OperationName>(operation: K, refresh: OperationName[] = [], then = '') {
  const { showToast } = useToasts();
  const { mutate, isPending } = useOperationAction(operation, refresh);
  const onSuccess = (file: OperationAnswer<K>) => {
    const { saved, file_name: name } = file as { saved: boolean; file_name: string };
    if (saved) showToast(`Saved ${name}.${then}`);
  };
  return { save: (request: OperationRequest<K>) => mutate(request, { onSuccess }), isPending };
}

export function findActiveProfile(profiles: ProfileView[] | undefined): ProfileView | undefined {
  return profiles?.find((view) => view.active);
}
