import { useOperationQuery } from '../../operations';
import { isInProgress } from '../../workbench/batchState';

/** The outbox tells of changes too; a batch on screen does not wait for it. */
const OPEN_MS = 1000;

/** Work on a draft changes its line of the list. */
export const useReviewList = () => useOperationQuery('review_list', {}, { alwaysRefetch: true });
export const useBatchList = () => useOperationQuery('batch_list');
export const useBatch = (id: string) =>
  useOperationQuery(
    'batch_show',
    { id },
    { refetchEvery: (batch) => (batch && isInProgress(batch.state) ? OPEN_MS : Infinity) },
  );
export const useAuditLog = () => useOperationQuery('audit_list', {}, { alwaysRefetch: true });
