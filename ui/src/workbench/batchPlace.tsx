import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';

import type { NewTransaction, Operations, ReviewSource } from '../bindings/operations';
import { createRequiredContext } from '../components/requiredContext';
import { usePlatform, useToasts } from '../operations';
import { OperationError } from '../platform';
import { useNavigation } from './navigation';
import { useRememberedPlace } from './rememberedPlaces';

/** Where the person is among the batches; kept while other views are on screen. */
type BatchPlace = { at: 'list' } | { at: 'review'; id: string } | { at: 'batch'; id: string };

interface BatchPlaceState {
  place: BatchPlace;
  goTo(place: BatchPlace): void;
  /** Opens a batch from another view. */
  openBatch(id: string): void;
  /** Opens a draft from another view. */
  openDraft(id: string): void;
  /** Reads a file, a paste or what came back, and opens it. */
  startReview(source: ReviewSource): void;
  /** Has the view of rows here before it is shown: a file is held over the window. */
  preloadView(): void;
  /** A source is being asked for. */
  isStarting: boolean;
  /** Handles of documents dropped on the open review, until it has taken them. */
  documents: string[];
  setDocuments(documents: string[]): void;
}

const [Provider, useBatchPlace] = createRequiredContext<BatchPlaceState>('batch place');
export { useBatchPlace };

/** What shows a draft. */
export const DRAFT_QUERIES: (keyof Operations)[] = [
  'review_state',
  'review_list',
  'review_rows',
  'review_issues',
  'review_figures',
  'today_show',
];

/** A transaction that begins with nothing. */
export const BLANK_TRANSACTION: NewTransaction = { quote: null, answer: null, values: {} };

const LIST: BatchPlace = { at: 'list' };
const NONE: string[] = [];

interface ProviderProps {
  /** Reads the scripts of the view. */
  preload(): Promise<void>;
  children: ReactNode;
}

export function BatchPlaceProvider({ preload, children }: ProviderProps) {
  const [place, goTo] = useRememberedPlace<BatchPlace>('batches', LIST);
  const [isStarting, setIsStarting] = useState(false);
  const [documents, setDocuments] = useState(NONE);
  const platform = usePlatform();
  const client = useQueryClient();
  const { showError } = useToasts();
  const { go } = useNavigation();
  // A mark, not state: the second press of a double click comes before the first one is drawn.
  const starting = useRef(new Set<string>());
  const startReview = useCallback(
    (source: ReviewSource) => {
      const asked = JSON.stringify(source);
      if (starting.current.has(asked)) return;
      starting.current.add(asked);
      setIsStarting(true);
      // Both are loaded at once. The view itself reports what cannot be loaded.
      const loaded = preload().catch(() => undefined);
      platform
        .call('review_start', { source })
        .then(
          async (review) => {
            if (review.stage === 'canceled' || review.id === '') return;
            client.setQueryData(['review_state', { id: review.id }], review);
            void client.invalidateQueries({ queryKey: ['review_list'] });
            await loaded;
            goTo({ at: 'review', id: review.id });
            go('batches');
          },
          (error: unknown) => error instanceof OperationError && showError(error),
        )
        .finally(() => {
          starting.current.delete(asked);
          setIsStarting(false);
        });
    },
    [platform, client, showError, go, goTo, preload],
  );
  const openBatch = useCallback(
    (id: string) => {
      goTo({ at: 'batch', id });
      go('batches');
    },
    [go, goTo],
  );
  const openDraft = useCallback(
    (id: string) => {
      goTo({ at: 'review', id });
      go('batches');
    },
    [go, goTo],
  );
  const preloadView = useCallback(() => void preload().catch(() => undefined), [preload]);
  const value = useMemo(
    () => ({ place, goTo, openBatch, openDraft, startReview, preloadView, isStarting, documents, setDocuments }),
    [place, goTo, openBatch, openDraft, startReview, preloadView, isStarting, documents],
  );
  return <Provider value={value}>{children}</Provider>;
}
