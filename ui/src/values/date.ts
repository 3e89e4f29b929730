/** Calendar dates as text: `yyyy-mm-dd` inside, `mm/dd/yyyy` on screen. No time zone ever moves a day. */

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function padNumber(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

function toIsoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real && year >= 1900 && year <= 2199 ? `${padNumber(year, 4)}-${padNumber(month)}-${padNumber(day)}` : null;
}

function toFullYear(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}

const NAMED_MONTH = /^(?:(\d{1,2})[ -])?([a-z]{3})[a-z]*\.?[ -](?:(\d{1,2}),?[ ])?(\d{4})$/;

/** Reads `Feb 23, 2026` and `23 February 2026`: with the month by its name no order is needed. */
function parseNamedMonth(text: string): string | null {
  const [, before, name, behind, year] = NAMED_MONTH.exec(text) ?? [];
  const month = MONTHS.findIndex((each) => each.toLowerCase() === name) + 1;
  if (month === 0 || (before === undefined) === (behind === undefined)) return null;
  return toIsoDate(Number(year), month, Number(before ?? behind));
}

/**
 * Reads `2/23/2026`, `2-23-26`, `2026-02-23`, `2026/2/23`, `022326`, `02232026`, `20260223`, `Feb 23, 2026` and `t` for
 * today; null when it is none of them.
 */
export function parseDate(typed: string, today: string): string | null {
  const text = typed.trim().toLowerCase();
  if (text === 't' || text === 'today') return today;
  const isoParts =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^((?:19|20|21)\d{2})()(\d{2})(\d{2})$/.exec(text);
  if (isoParts) return toIsoDate(Number(isoParts[1]), Number(isoParts[3]), Number(isoParts[4]));
  const parts =
    /^(\d{1,2})[/.\s-](\d{1,2})[/.\s-](\d{2}|\d{4})$/.exec(text) ?? /^(\d{2})(\d{2})(\d{2}|\d{4})$/.exec(text);
  if (parts) return toIsoDate(toFullYear(parts[3] ?? ''), Number(parts[1]), Number(parts[2]));
  // A month and day alone mean this year.
  const short = /^(\d{1,2})[/.-](\d{1,2})$/.exec(text);
  return short ? toIsoDate(Number(today.slice(0, 4)), Number(short[1]), Number(short[2])) : parseNamedMonth(text);
}

/** Why a text isn’t a date, and how to type one. */
export function explainInvalidDate(typed: string): string {
  const shown = `“${typed.slice(0, 40)}”`;
  const parts = /^(\d{1,2})[/.\s-](\d{1,2})[/.\s-](\d{2}|\d{4})$/.exec(typed.trim());
  const [, first = '', second = '', year = ''] = parts ?? [];
  const turned = parts && toIsoDate(toFullYear(year), Number(second), Number(first));
  if (turned) return `${shown}: the month comes first. Enter it as ${formatDate(turned)}.`;
  if (parts && year.length === 4 && (Number(year) < 1900 || Number(year) > 2199))
    return `${shown} is out of range. Use a year from 1900 to 2199.`;
  if (parts && Number(first) <= 12 && Number(second) <= 31) return `${shown} isn’t a valid date.`;
  return `${shown} isn’t a date. Enter it as 02/23/2026, or t for today.`;
}

export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return parts !== null && toIsoDate(Number(parts[1]), Number(parts[2]), Number(parts[3])) !== null;
}

/** `2026-02-23` becomes `02/23/2026`; other text stays as it is. */
export function formatDate(date: string): string {
  return isDate(date) ? `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}` : date;
}

/** `2026-11-21` becomes `Nov 21, 2026`. */
export function formatLongDate(date: string): string {
  if (!isDate(date)) return date;
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8, 10))}, ${date.slice(0, 4)}`;
}

function toUtcDate(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

export function weekdayName(date: string): string {
  return isDate(date) ? (WEEKDAYS[toUtcDate(date).getUTCDay()] ?? '') : '';
}

/** `2026-11-21` becomes `Sat, Nov 21, 2026`. */
export function formatWeekdayDate(date: string): string {
  return isDate(date) ? `${weekdayName(date)}, ${formatLongDate(date)}` : date;
}

export function addDays(date: string, days: number): string {
  const moved = toUtcDate(date);
  moved.setUTCDate(moved.getUTCDate() + days);
  return toIsoDate(moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate()) ?? date;
}

/** The time of an instant in the person's zone, `3:08 PM`; with seconds `3:08:07 PM`. */
export function formatTime(instant: string, withSeconds = false): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const seconds = withSeconds ? `:${padNumber(at.getSeconds())}` : '';
  return `${at.getHours() % 12 || 12}:${padNumber(at.getMinutes())}${seconds} ${at.getHours() < 12 ? 'AM' : 'PM'}`;
}

/** `Nov 20, 2026, 3:08:07 PM`: for logs. Other text stays as it is. */
export function formatTimestamp(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  return `${formatLongDate(toDay(at))}, ${formatTime(instant, true)}`;
}

function toDay(at: Date): string {
  return `${at.getFullYear()}-${padNumber(at.getMonth() + 1)}-${padNumber(at.getDate())}`;
}

/** `today 3:08 PM` or `Nov 20, 2026`, for lists. */
export function formatWhen(instant: string, today: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const day = toDay(at);
  return day === today ? `today ${formatTime(instant)}` : formatLongDate(day);
}

const SERVICE_INSTANT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)$/;

/** A text of the service that is an instant in UTC, as people here read it; any other text as it is. */
export function formatServiceText(text: string): string {
  const at = new Date(text.replace(' ', 'T').replace(' UTC', 'Z'));
  if (!SERVICE_INSTANT.test(text) || Number.isNaN(at.getTime())) return text;
  return `${formatLongDate(toDay(at))}, ${formatTime(at.toISOString())}`;
}
