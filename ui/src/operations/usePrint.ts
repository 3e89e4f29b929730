import { usePlatform } from './platform';
import { useToasts } from './toasts';

/** Opens the system's dialog for printing. */
export function usePrint(): () => void {
  const platform = usePlatform();
  const { showToast } = useToasts();
  return () => {
    platform.print().catch(() => showToast('The print dialog didn’t open. Try again.'));
  };
}
