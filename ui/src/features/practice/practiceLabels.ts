import type { PracticeFault, PracticeState } from '../../bindings/operations';

export const FAULTS: { fault: PracticeFault; name: string }[] = [
  { fault: 'delay', name: 'Slow: five seconds late' },
  { fault: 'error_before', name: 'Fails before anything is done (500)' },
  { fault: 'error_after', name: 'Does it, then fails (500)' },
  { fault: 'cut', name: 'Does it, then cuts the connection' },
  { fault: 'rate_limit', name: 'Too many requests (429)' },
  { fault: 'malformed', name: 'Answers half a sentence' },
];

export const PACES: { code: string; name: string; rows: number | null }[] = [
  { code: 'all', name: 'As fast as it goes', rows: null },
  { code: '50', name: '50 rows a second', rows: 50 },
  { code: '5', name: '5 rows a second', rows: 5 },
  { code: '0', name: 'Not at all', rows: 0 },
];

const MINUTE = 60;
export const CLOCK_MOVES: { seconds: number; name: string }[] = [
  { seconds: 30 * MINUTE, name: '30 minutes on' },
  { seconds: 120 * MINUTE, name: '2 hours on' },
  { seconds: 24 * 60 * MINUTE, name: 'A day on' },
];

/** `2026-11-21 15:04:05 UTC, 2 h 0 min ahead`. */
export function formatClock(state: PracticeState): string {
  const shown = `${state.now.slice(0, 10)} ${state.now.slice(11, 19)} UTC`;
  if (state.moved_seconds === 0) return shown;
  const minutes = Math.round(Math.abs(state.moved_seconds) / MINUTE);
  const hours = Math.floor(minutes / 60);
  const words = hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  return `${shown}, ${words} ${state.moved_seconds > 0 ? 'ahead' : 'behind'}`;
}

export const describeBatch = (name: string, count: number): string =>
  `${name}, ${count} ${count === 1 ? 'transaction' : 'transactions'}`;
