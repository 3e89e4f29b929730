import type { Operations } from '../bindings/operations';
import { useToasts } from './toasts';
import { useOperationMutation } from './useOperation';

/** An operation that the person starts where there is no place for an error: it is shown as a toast. */
export function useOperationAction<K extends keyof Operations>(operation: K, refresh: (keyof Operations)[] = []) {
  const { showError } = useToasts();
  return useOperationMutation(operation, refresh, showError);
}
