import { useDocumentPlace } from './documents';

/** Opens a transaction from another view. */
export function useOpenTransaction(): (transaction: string) => void {
  return useDocumentPlace().open;
}
