import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { EventsStatus } from '../bindings/operations';
import { usePlatform } from './platform';
import { useAsk } from './useOperation';

const NOTHING = {};
/** The core answers as soon as there are news, at the latest then. */
const WAIT_MS = 20_000;
/** After a failure; and between two answers, however fast they come. */
const FAILED_MS = 10_000;
const BREATH_MS = 20;
/** What an event may have changed. */
const CHANGED = [
  'events_list',
  'events_detail',
  'events_refused',
  'events_notices',
  'batch_list',
  'batch_show',
  'batch_rows',
  'outbox_status',
  'transactions_search',
  'transactions_summary',
  'transactions_overview',
  'transaction_detail',
  'transaction_documents',
  'documents_missing',
  'due_list',
];

/** The inbox in a line; kept up to date by `useEventNews`. */
export const useEventsStatus = () => useAsk('events_status', NOTHING);

/** Waits at the core for events and asks the views anew the moment one is stored. */
export function useEventNews(): void {
  const platform = usePlatform();
  const client = useQueryClient();
  useEffect(() => {
    let ended = false;
    let known: EventsStatus | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heed = (now: EventsStatus) => {
      client.setQueryData(['events_status', NOTHING], now);
      if (known && known.revision !== now.revision)
        for (const name of CHANGED) void client.invalidateQueries({ queryKey: [name] });
      if (known && known.receiver !== now.receiver) void client.invalidateQueries({ queryKey: ['events_settings'] });
      known = now;
    };
    const listen = () => {
      platform.call('events_news', { known: known?.revision ?? null, wait_ms: WAIT_MS }).then(
        (now) => {
          if (ended) return;
          heed(now);
          timer = setTimeout(listen, BREATH_MS);
        },
        () => {
          if (!ended) timer = setTimeout(listen, FAILED_MS);
        },
      );
    };
    listen();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [platform, client]);
}
