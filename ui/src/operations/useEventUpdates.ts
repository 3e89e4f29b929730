import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { EventsStatus, Operations } from '../bindings/operations';
import { usePlatform } from './platform';
import { useOperationQuery } from './useOperation';

/** The core answers as soon as there are news, at the latest then. */
const WAIT_MS = 20_000;
/** After a failure; and between two answers, however fast they come. */
const FAILED_MS = 10_000;
const PAUSE_MS = 20;
/** What an event may have changed. */
export const EVENT_DEPENDENT_QUERIES: (keyof Operations)[] = [
  'events_list',
  'events_detail',
  'events_refused',
  'events_notices',
  'batch_list',
  'batch_show',
  'batch_rows',
  'batch_causes',
  'outbox_status',
  'transactions_search',
  'transactions_summary',
  'transactions_overview',
  'transaction_detail',
  'transaction_documents',
  'documents_missing',
  'due_list',
  'today_show',
];

/** The inbox in a line; kept up to date by `useEventUpdates`. */
export const useEventStatus = () => useOperationQuery('events_status');

/** Waits at the core for events and refreshes the views the moment one is stored. */
export function useEventUpdates(): void {
  const platform = usePlatform();
  const client = useQueryClient();
  useEffect(() => {
    let isEnded = false;
    let lastStatus: EventsStatus | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const applyStatus = (now: EventsStatus) => {
      client.setQueryData(['events_status', {}], now);
      if (lastStatus && lastStatus.revision !== now.revision)
        for (const name of EVENT_DEPENDENT_QUERIES) void client.invalidateQueries({ queryKey: [name] });
      if (lastStatus && lastStatus.receiver !== now.receiver)
        void client.invalidateQueries({ queryKey: ['events_settings'] });
      lastStatus = now;
    };
    const pollEvents = () => {
      platform.call('events_news', { known: lastStatus?.revision ?? null, wait_ms: WAIT_MS }).then(
        (now) => {
          if (isEnded) return;
          applyStatus(now);
          timer = setTimeout(pollEvents, PAUSE_MS);
        },
        () => {
          if (!isEnded) timer = setTimeout(pollEvents, FAILED_MS);
        },
      );
    };
    pollEvents();
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [platform, client]);
}
