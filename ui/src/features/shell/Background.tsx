import { useEventNews } from '../../desk/events';
import { Drops } from './Drops';
import { useOutboxNews } from './useOutboxNews';

/** What goes on beside every view. */
export function Background() {
  useOutboxNews();
  useEventNews();
  return <Drops />;
}
