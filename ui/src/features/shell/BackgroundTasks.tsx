import { useEventNews } from '../../operations/useEventUpdates';
import { Drops } from './DropHandler';
import { useOutboxNews } from './useOutboxUpdates';

/** What goes on beside every view. */
export function Background() {
  useOutboxNews();
  useEventNews();
  return <Drops />;
}
