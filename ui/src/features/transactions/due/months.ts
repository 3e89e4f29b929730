import { addDays } from '../../../values';

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `2026-02` of a day. */
export const toMonth = (day: string) => day.slice(0, 7);

/** `February 2026`. */
export function formatMonth(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return first.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** The month so many months later. */
export function addMonths(month: string, by: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + by;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** The weeks of a month, Sunday first, with the days of its neighbors that fill them. */
export function monthWeeks(month: string): string[][] {
  const first = `${month}-01`;
  const before = new Date(`${first}T00:00:00Z`).getUTCDay();
  let day = addDays(first, -before);
  const found: string[][] = [];
  do {
    found.push(Array.from({ length: 7 }, (_, at) => addDays(day, at)));
    day = addDays(day, 7);
  } while (toMonth(day) === month);
  return found;
}
