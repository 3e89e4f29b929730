import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { OfficeRoom, Operations } from '../../bindings/operations';
import { QUOTE_QUERIES, usePlatform } from '../../operations';
import { EVENT_DEPENDENT_QUERIES } from '../../operations/useEventUpdates';
import { ASSIGNMENT_QUERIES } from '../../workbench/Assignment';
import { DRAFT_QUERIES } from '../../workbench/batchPlace';

/** The core answers as soon as someone else changed something, at the latest then. */
const WAIT_MS = 20_000;
/** After a failure; and between two answers, so that a batch that is being sent is not a storm. */
const FAILED_MS = 10_000;
const PAUSE_MS = 50;

/** What shows each part of the office. */
const QUERIES: Record<OfficeRoom, (keyof Operations)[]> = {
  batches: ['outbox_status', 'batch_list', 'batch_show', 'batch_rows', 'batch_causes', 'status_show', 'today_show'],
  documents: ['documents_queue', 'documents_missing', 'transaction_documents', 'outbox_status', 'today_show'],
  drafts: DRAFT_QUERIES,
  mappings: ['review_list', 'mapping_versions'],
  events: ['events_status', ...EVENT_DEPENDENT_QUERIES],
  quotes: QUOTE_QUERIES,
  profiles: ['profile_list', 'status_show', 'reference_data'],
  due_dates: ['due_list', 'today_show'],
  searches: ['searches_list'],
  audit_log: ['audit_list'],
  assignments: [...ASSIGNMENT_QUERIES, 'office_people'],
};

/** Waits at the core for what others of the office change, and refreshes the views that show it. */
export function useOfficeUpdates(): void {
  const platform = usePlatform();
  const client = useQueryClient();
  useEffect(() => {
    let isEnded = false;
    let known = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What changes meanwhile is in the next answer: no question is begun again before it is answered.
    const refresh = (rooms: OfficeRoom[]) => {
      const names = [...new Set(rooms.flatMap((room) => QUERIES[room]))];
      return Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
    };
    const follow = async () => {
      try {
        const news = await platform.call('office_news', { known, wait_ms: WAIT_MS });
        // Nobody else changes this computer's own data.
        if (isEnded || news.turn === null) return;
        await refresh(news.changed);
        known = news.turn;
        if (!isEnded) timer = setTimeout(() => void follow(), PAUSE_MS);
      } catch {
        if (!isEnded) timer = setTimeout(() => void follow(), FAILED_MS);
      }
    };
    void follow();
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [platform, client]);
}
