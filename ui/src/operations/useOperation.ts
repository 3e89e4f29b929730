import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';

import type { Operations, ProfileView } from '../bindings/operations';
import type { OperationError } from '../platform';
import { usePlatform } from './platform';

type Name = keyof Operations;
type Request<K extends Name> = Operations[K]['request'];
type Answer<K extends Name> = Operations[K]['answer'];

/** The core is on this machine and decides itself about retries: nothing is asked twice behind its back. */
export function deskQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, staleTime: Infinity },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

const NOTHING = {};

export function useAsk<K extends Name>(
  operation: K,
  request: Request<K>,
  options: {
    enabled?: boolean;
    every?: number | ((answer: Answer<K> | undefined) => number);
    /** Other views change the answer: asked again whenever a view that shows it is opened. */
    fresh?: boolean;
  } = {},
): UseQueryResult<Answer<K>, OperationError> {
  const platform = usePlatform();
  return useQuery<Answer<K>, OperationError>({
    queryKey: [operation, request],
    queryFn: () => platform.call(operation, request),
    enabled: options.enabled ?? true,
    refetchOnMount: options.fresh ? 'always' : true,
    refetchInterval: (query) =>
      typeof options.every === 'function' ? options.every(query.state.data) : (options.every ?? false),
  });
}

export const useReference = () => useAsk('reference_data', NOTHING);
/** A service that starts is ready in a moment: the line does not say otherwise for longer. */
export const useStatus = () =>
  useAsk('status', NOTHING, { every: (now) => (now?.service === 'starting' ? 500 : 10_000) });
export const useProfiles = () => useAsk('profile_list', NOTHING);
export const useSecrets = () => useAsk('secrets_status', NOTHING);
export const useSettings = () => useAsk('settings_load', NOTHING);
export const useQuoteList = () => useAsk('quote_list', NOTHING);

/** An operation that the person starts; afterwards the named operations are asked anew. */
export function useDo<K extends Name>(
  operation: K,
  refresh: Name[] = [],
): UseMutationResult<Answer<K>, OperationError, Request<K>> {
  const platform = usePlatform();
  const client = useQueryClient();
  return useMutation<Answer<K>, OperationError, Request<K>>({
    mutationFn: (request) => platform.call(operation, request),
    onSettled: () =>
      Promise.all(refresh.map((name) => client.invalidateQueries({ queryKey: [name] }))).then(() => undefined),
  });
}

export function activeProfile(profiles: ProfileView[] | undefined): ProfileView | undefined {
  return profiles?.find((view) => view.active);
}
