import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import type { ReviewSource } from '../bindings/operations';
import { usePlatform } from '../desk/context';
import { useNotices } from '../desk/notices';
import { OperationError } from '../platform';
import { useNavigation } from './navigation';

/** Where the person is among the batches; kept while other views are on screen. */
export type BatchPlace = { at: 'list' } | { at: 'review'; id: string } | { at: 'batch'; id: string };

interface Batches {
  place: BatchPlace;
  goTo(place: BatchPlace): void;
  /** Reads a file, a paste or what came back, and opens it. */
  start(source: ReviewSource): void;
  /** A source is being asked for. */
  starting: boolean;
  /** Handles of documents dropped on the open review, until it has taken them. */
  documents: string[];
  bring(documents: string[]): void;
}

const BatchContext = createContext<Batches | null>(null);
const LIST: BatchPlace = { at: 'list' };
const NONE: string[] = [];

export function BatchPlaceProvider({ children }: { children: ReactNode }) {
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
      platform
        .call('review_start', { source })
        .then(
          (review) => {
            if (review.stage === 'cancelled' || review.id === '') return;
            client.setQueryData(['review_state', { id: review.id }], review);
            void client.invalidateQueries({ queryKey: ['review_list'] });
            goTo({ at: 'review', id: review.id });
            go('batches');
          },
          (error: unknown) => error instanceof OperationError && fail(error),
        )
        .finally(() => setStarting(false));
    },
    [platform, client, fail, go],
  );
  const value = useMemo(
    () => ({ place, goTo, start, starting, documents, bring }),
    [place, start, starting, documents],
  );
  return <BatchContext.Provider value={value}>{children}</BatchContext.Provider>;
}

export function useBatches(): Batches {
  const batches = useContext(BatchContext);
  if (!batches) throw new Error('There is no BatchPlaceProvider above this component.');
  return batches;
}
