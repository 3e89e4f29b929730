import type { DueEntry, DueKind, DueUrgency } from '../../../bindings/operations';
import type { StatePeriod } from '../../../workbench/transactionPlace';
import { pluralize } from '../../../values';
import type { TagLabel } from '../../../components';

const DUE_KIND_TITLES: Record<DueKind, string> = {
  filing: 'Filing',
  affidavit: 'Affidavit',
  report: 'Report',
  tax: 'Premium tax',
  stamping_fee: 'Stamping fee',
  other_tax: 'Other tax',
};

export const DUE_KINDS = Object.entries(DUE_KIND_TITLES).map(([code, name]) => ({ code, name }));

export const DUE_STATUS_LABELS: Record<DueUrgency, TagLabel> = {
  overdue: { word: 'overdue', tone: 'error', icon: 'error' },
  soon: { word: 'soon', tone: 'warn', icon: 'clock' },
  later: { word: 'later', tone: 'neutral' },
  undated: { word: 'no due date', tone: 'info', icon: 'unknown' },
};

/** `3 days ago`, `today`, `in 12 days`. */
export function formatDaysLeft(days: number | null): string {
  if (days === null) return '';
  if (days === 0) return 'today';
  const count = pluralize(Math.abs(days), 'day');
  return days < 0 ? `${count} ago` : `in ${count}`;
}

/** How late or how soon: `3 days overdue`, `in 2 days`, `no due date`. */
export function dueTag({ standing, days_left }: DueEntry): TagLabel {
  const label = DUE_STATUS_LABELS[standing];
  if (days_left === null) return label;
  const word = standing === 'overdue' ? `${pluralize(-days_left, 'day')} overdue` : formatDaysLeft(days_left);
  return { ...label, word };
}

/** The transactions an entry is for. The day of filing is not known before it, so that no days are asked for then. */
export function entryPeriod(entry: DueEntry): StatePeriod {
  const [from, to] = entry.by_filing || entry.period === null ? ['', ''] : entry.period;
  return { state: entry.state, days: { from, to } };
}

/** Whose it is: a policy, or all transactions of a period. */
export function describeSubject(entry: DueEntry): string {
  if (entry.count > 1) return pluralize(entry.count, 'transaction');
  return entry.policy_number || `Transaction ${entry.transaction_id}`;
}
