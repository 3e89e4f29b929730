import type { PracticeFault, PracticeState } from '../../bindings/operations';
import { formatTimestamp, pluralize } from '../../values';

export const FAULTS: { code: PracticeFault; name: string }[] = [
  { code: 'delay', name: 'Responds 5 seconds late' },
  { code: 'error_before', name: 'Fails before processing (500)' },
  { code: 'error_after', name: 'Processes, then fails (500)' },
  { code: 'cut', name: 'Processes, then drops the connection' },
  { code: 'rate_limit', name: 'Too many requests (429)' },
  { code: 'malformed', name: 'Returns a truncated response' },
];

export const PACES: { code: string; name: string; rows: number | null }[] = [
  { code: 'all', name: 'As fast as possible', rows: null },
  { code: '50', name: '50 rows per second', rows: 50 },
  { code: '5', name: '5 rows per second', rows: 5 },
  { code: '0', name: 'Paused', rows: 0 },
];

const MINUTE = 60;
export const CLOCK_MOVES: { seconds: number; name: string }[] = [
  { seconds: 30 * MINUTE, name: 'Ahead 30 minutes' },
  { seconds: 120 * MINUTE, name: 'Ahead 2 hours' },
  { seconds: 24 * 60 * MINUTE, name: 'Ahead 1 day' },
];

/** `Nov 21, 2026, 3:04:05 PM, 2 hr 0 min ahead`. */
export function formatClock(state: PracticeState): string {
  const shown = formatTimestamp(state.now);
  if (state.moved_seconds === 0) return shown;
  const minutes = Math.round(Math.abs(state.moved_seconds) / MINUTE);
  const hours = Math.floor(minutes / 60);
  const words = hours > 0 ? `${hours} hr ${minutes % 60} min` : `${minutes} min`;
  return `${shown}, ${words} ${state.moved_seconds > 0 ? 'ahead' : 'behind'}`;
}

export const describeBatch = (name: string, count: number): string => `${name}, ${pluralize(count, 'transaction')}`;
