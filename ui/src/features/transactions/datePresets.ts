import type { DayRange } from '../../bindings/operations';
import { shiftDay } from '../../values/date';

/** Ranges people ask for by name. */
export const PRESETS = [
  { code: 'any', name: 'Any date' },
  { code: 'this_month', name: 'This month' },
  { code: 'last_month', name: 'Last month' },
  { code: 'this_quarter', name: 'This quarter' },
  { code: 'last_quarter', name: 'Last quarter' },
  { code: 'this_year', name: 'This year' },
  { code: 'last_12', name: 'Last 12 months' },
  { code: 'own', name: 'From and to…' },
] as const;

export type Preset = (typeof PRESETS)[number]['code'];

const OPEN: DayRange = { from: '', to: '' };

function month(year: number, index: number): string {
  const date = new Date(Date.UTC(year, index, 1));
  return date.toISOString().slice(0, 10);
}

/** So many whole months, the first `back` months before the month of today. */
function months(today: string, back: number, count: number): DayRange {
  const year = Number(today.slice(0, 4));
  const index = Number(today.slice(5, 7)) - 1 - back;
  return { from: month(year, index), to: shiftDay(month(year, index + count), -1) };
}

export function rangeOfPreset(preset: Preset, today: string): DayRange {
  const inQuarter = (Number(today.slice(5, 7)) - 1) % 3;
  switch (preset) {
    case 'this_month':
      return months(today, 0, 1);
    case 'last_month':
      return months(today, 1, 1);
    case 'this_quarter':
      return months(today, inQuarter, 3);
    case 'last_quarter':
      return months(today, inQuarter + 3, 3);
    case 'this_year':
      return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` };
    case 'last_12':
      return { from: shiftDay(months(today, 12, 1).from, Number(today.slice(8, 10)) - 1), to: today };
    case 'any':
    case 'own':
      return OPEN;
  }
}
