import type { DayRange } from '../../bindings/operations';
import { addDays } from '../../values';
import { OPEN_RANGE } from '../../workbench/transactionChoices';

/** Ranges people ask for by name. */
export const DATE_PRESETS = [
  { code: 'any', name: 'Any date' },
  { code: 'this_month', name: 'This month' },
  { code: 'last_month', name: 'Last month' },
  { code: 'this_quarter', name: 'This quarter' },
  { code: 'last_quarter', name: 'Last quarter' },
  { code: 'this_year', name: 'This year' },
  { code: 'last_12', name: 'Last 12 months' },
  { code: 'own', name: 'Custom range…' },
] as const;

export type DatePreset = (typeof DATE_PRESETS)[number]['code'];

function firstOfMonth(year: number, index: number): string {
  const date = new Date(Date.UTC(year, index, 1));
  return date.toISOString().slice(0, 10);
}

/** So many whole months, the first `back` months before the month of today. */
function monthRange(today: string, back: number, count: number): DayRange {
  const year = Number(today.slice(0, 4));
  const index = Number(today.slice(5, 7)) - 1 - back;
  return { from: firstOfMonth(year, index), to: addDays(firstOfMonth(year, index + count), -1) };
}

export function presetRange(preset: DatePreset, today: string): DayRange {
  const inQuarter = (Number(today.slice(5, 7)) - 1) % 3;
  switch (preset) {
    case 'this_month':
      return monthRange(today, 0, 1);
    case 'last_month':
      return monthRange(today, 1, 1);
    case 'this_quarter':
      return monthRange(today, inQuarter, 3);
    case 'last_quarter':
      return monthRange(today, inQuarter + 3, 3);
    case 'this_year':
      return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` };
    case 'last_12':
      return { from: addDays(monthRange(today, 12, 1).from, Number(today.slice(8, 10)) - 1), to: today };
    case 'any':
    case 'own':
      return OPEN_RANGE;
  }
}
