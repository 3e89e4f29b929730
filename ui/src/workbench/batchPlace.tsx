import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import type { ReviewSource } from '../bindings/operations';
import { usePlatform } from '../operations/platform';
import { useNotices } from '../operations/toasts';
import { OperationError } from '../platform';
import { useNavigation } from './navigation';

/** Where the person is among the batches; kept while other views are on screen. */
export type BatchPlace = { at: 'list' } | { at: 'review'; id: string } | { at: 'batch'; id: string };

interface Batches {
  place: BatchPlace;
  goTo(place: BatchPlace): void;
  /** Reads a file, a paste or what came back, and opens it. */
  start(source: ReviewSource): void;
  /** Has the view of rows here before it is shown: a file is held over the window. */
  prepare(): void;
  /** A source is being asked for. */
  starting: boolean;
  /** Handles of documents dropped on the open review, until it has taken them. */
  documents: string[];
  bring(documents: string[]): void;
}

const BatchContext = createContext<Batches | null>(null);
const LIST: BatchPlace = { at: 'list' };
const NONE: string[] = [];

interface ProviderProps {
  /** Reads the scripts of the view. */
  load(): Promise<void>;
  children: ReactNode;
}

export function BatchPlaceProvider({ load, children }: ProviderProps) {
  const [place, goTo] = useState<BatchPlace>(LIST);
  const [starting, setStarting] = useState(false);
  const [documents, bring] = useState(NONE);
  const platform = usePlatform();
  const client = useQueryClient();
  const { fail } = useNotices();
  const { go } = useNavigation();
  const start = useCallback(
    (source: ReviewSource) => {
      setStarting(true);
      // Both on their way at once. What cannot be loaded is told by the view itself.
      const loaded = load().catch(() => undefined);
      platform
        .call('review_start', { source })
        .then(
          async (review) => {
            if (review.stage === 'cancelled' || review.id === '') return;
            client.setQueryData(['review_state', { id: review.id }], review);
            void client.invalidateQueries({ queryKey: ['review_list'] });
            await loaded;
            goTo({ at: 'review', id: review.id });
            go('batches');
          },
          (error: unknown) => error instanceof OperationError && fail(error),
        )
        .finally(() => setStarting(false));
    },
    [platform, client, fail, go, load],
  );
  const prepare = useCallback(() => void load().catch(() => undefined), [load]);
  const value = useMemo(
    () => ({ place, goTo, start, prepare, starting, documents, bring }),
    [place, start, prepare, starting, documents],
  );
  return <BatchContext.Provider value={value}>{children}</BatchContext.Provider>;
}

export function useBatches(): Batches {
  const batches = useContext(BatchContext);
  if (!batches) throw new Error('There is no BatchPlaceProvider above this component.');
  return batches;
}
