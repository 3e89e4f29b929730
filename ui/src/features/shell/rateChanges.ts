import type { RuleChangeView } from '../../bindings/operations';
import { longDate } from '../../values/date';

/** Which policies a change is for, by their dates. */
export function changeDates({ from, until }: Pick<RuleChangeView, 'from' | 'until'>): string {
  if (from && until) return `${longDate(from)} to ${longDate(until)}`;
  if (from) return `From ${longDate(from)}`;
  return until ? `Until ${longDate(until)}` : 'All dates';
}

/** The changes by the day they were published, in the order they came. */
export function changesByDay(changes: RuleChangeView[]): [day: string, changes: RuleChangeView[]][] {
  const days = [...new Set(changes.map((change) => change.published))];
  return days.map((day) => [day, changes.filter((change) => change.published === day)]);
}
