import type { BatchState } from '../bindings/operations';

const END_STATES = new Set<BatchState>(['processed', 'failed', 'canceled']);

/** Whether something more happens to a batch. */
export function isInProgress(state: BatchState): boolean {
  return !END_STATES.has(state);
}
