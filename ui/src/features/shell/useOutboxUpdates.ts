import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import type { BatchView } from '../../bindings/operations';
import { useOperationQuery, useOutboxStatus, useToasts } from '../../operations';
import { formatCount } from '../../values';
import { isInProgress } from '../../workbench/batchState';

/** The toast when a batch ended or waits for a decision; null where it had before. */
export function describeBatchEnd(before: BatchView | undefined, now: BatchView): string | null {
  if (before && !before.asks && now.asks) return `${now.name}: ${now.trouble}`;
  if (!before || !isInProgress(before.state) || isInProgress(now.state)) return null;
  if (now.state === 'failed') return `${now.name} failed. ${now.trouble}`.trim();
  if (now.state === 'canceled') return `${now.name} was canceled.`;
  const { accepted, warning, error, saved_incomplete } = now.counts;
  const parts = [`${formatCount(accepted + warning)} processed`];
  if (warning > 0) parts.push(`${formatCount(warning)} with warnings`);
  if (error > 0) parts.push(`${formatCount(error)} rejected`);
  if (saved_incomplete > 0) parts.push(`${formatCount(saved_incomplete)} saved as incomplete`);
  return `${now.name}: ${parts.join(', ')}.`;
}

/** Refreshes the views when the outbox changes, and shows a toast for each batch that ends. */
export function useOutboxUpdates(): void {
  const revision = useOutboxStatus().data?.revision;
  const list = useOperationQuery('batch_list', {}, { enabled: revision !== undefined }).data;
  const client = useQueryClient();
  const { showToast } = useToasts();
  const known = useRef<Map<string, BatchView> | null>(null);
  useEffect(() => {
    if (revision === undefined) return;
    for (const name of ['batch_list', 'batch_show', 'batch_rows', 'batch_causes', 'status_show', 'today_show'])
      void client.invalidateQueries({ queryKey: [name] });
  }, [client, revision]);
  useEffect(() => {
    if (!list) return;
    for (const batch of list.batches) {
      const told = describeBatchEnd(known.current?.get(batch.id), batch);
      if (told) showToast(told);
    }
    known.current = new Map(list.batches.map((batch) => [batch.id, batch]));
  }, [list, showToast]);
}
