import type { RuleChangeView } from '../bindings/operations';
import { formatLongDate } from '../values';

/** Which policies a change is for, by their dates. */
export function formatChangeDates({ from, until }: Pick<RuleChangeView, 'from' | 'until'>): string {
  if (from && until) return `${formatLongDate(from)} to ${formatLongDate(until)}`;
  if (from) return `From ${formatLongDate(from)}`;
  return until ? `Until ${formatLongDate(until)}` : 'All dates';
}

/** The changes by the day they were published, in the order they came. */
export function groupChangesByDay(changes: RuleChangeView[]): [day: string, changes: RuleChangeView[]][] {
  const days = [...new Set(changes.map((change) => change.published))];
  return days.map((day) => [day, changes.filter((change) => change.published === day)]);
}
