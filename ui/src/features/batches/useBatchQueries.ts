import { useAsk } from '../../operations/useOperation';
import { isOpen } from './batchLabels';

const NOTHING = {};
/** The outbox tells of changes too; a batch on screen does not wait for it. */
const OPEN_MS = 1000;

export const useReviewList = () => useAsk('review_list', NOTHING);
export const useBatchList = () => useAsk('batch_list', NOTHING);
export const useBatch = (id: string) =>
  useAsk('batch_show', { id }, { every: (batch) => (batch && isOpen(batch.state) ? OPEN_MS : Infinity) });
export const useAudit = () => useAsk('audit_list', NOTHING);
