import { useEventUpdates } from '../../operations/useEventUpdates';
import { DropHandler } from './DropHandler';
import { useDataWarnings } from './useDataWarnings';
import { useLinks } from './useLinks';
import { useOfficeUpdates } from './useOfficeUpdates';
import { useOutboxUpdates } from './useOutboxUpdates';
import { useWatchNews } from './useWatchNews';

/** Runs beside every view. */
export function BackgroundTasks() {
  useOutboxUpdates();
  useWatchNews();
  useEventUpdates();
  useOfficeUpdates();
  useLinks();
  useDataWarnings();
  return <DropHandler />;
}
