import type { TransactionRow, TransactionSort } from '../../bindings/operations';
import { showAmount } from '../../values/amount';
import { showDate } from '../../values/date';

/** A column of the table; its name is the one the export has. */
export interface TableColumn {
  name: string;
  title: string;
  /** Pixels at the usual size. */
  width: number;
  numeric?: boolean;
  sort?: TransactionSort;
  text(row: TransactionRow): string;
}

export const PAID_WORDS: Record<string, string> = {
  paid: 'Paid',
  partly: 'Partly paid',
  unpaid: 'Not paid',
  nothing: 'Nothing to pay',
};

const amount = (value: string) => (value === '' ? '' : showAmount(value));

export const TABLE_COLUMNS: readonly TableColumn[] = [
  { name: 'id', title: 'Transaction', width: 96, numeric: true, sort: 'id', text: (row) => row.id },
  { name: 'policy_number', title: 'Policy', width: 140, sort: 'policy_number', text: (row) => row.policy_number },
  { name: 'insured', title: 'Insured', width: 210, sort: 'insured', text: (row) => row.insured },
  { name: 'state', title: 'State', width: 58, sort: 'state', text: (row) => row.state },
  { name: 'transaction_type', title: 'Type', width: 58, sort: 'transaction_type', text: (row) => row.transaction_type },
  { name: 'status', title: 'Status', width: 124, sort: 'status', text: (row) => row.status_word },
  {
    name: 'transaction_effective',
    title: 'Effective',
    width: 98,
    sort: 'transaction_effective',
    text: (row) => showDate(row.transaction_effective),
  },
  { name: 'premium', title: 'Premium', width: 104, numeric: true, sort: 'premium', text: (row) => amount(row.premium) },
  { name: 'taxes', title: 'Taxes', width: 92, numeric: true, sort: 'taxes', text: (row) => amount(row.taxes) },
  { name: 'total', title: 'Total', width: 104, numeric: true, sort: 'total', text: (row) => amount(row.total) },
  { name: 'paid', title: 'Payment', width: 96, text: (row) => PAID_WORDS[row.paid] ?? row.paid },
  { name: 'due', title: 'Filing due', width: 98, sort: 'due', text: (row) => showDate(row.due) },
  { name: 'invoice_number', title: 'Invoice', width: 120, sort: 'invoice', text: (row) => row.invoice_number },
  { name: 'date_filed', title: 'Filed', width: 98, sort: 'filed', text: (row) => showDate(row.date_filed) },
  {
    name: 'policy_effective',
    title: 'Policy effective',
    width: 110,
    sort: 'policy_effective',
    text: (row) => showDate(row.policy_effective),
  },
  { name: 'fees', title: 'Fees', width: 92, numeric: true, text: (row) => amount(row.fees) },
  {
    name: 'documents',
    title: 'Documents',
    width: 88,
    numeric: true,
    sort: 'documents',
    text: (row) => String(row.documents),
  },
  { name: 'state_number', title: 'State number', width: 120, text: (row) => row.state_number },
  { name: 'own_id', title: 'Our id', width: 150, text: (row) => row.own_id },
];

const USUAL = TABLE_COLUMNS.slice(1, 12).map((column) => column.name);
const KEY = 'transactions.columns';

/** Columns by their names in the table's order; the usual ones where none is known. */
export function columnsOf(names: readonly string[]): TableColumn[] {
  const wanted = names.length === 0 ? USUAL : names;
  const found = TABLE_COLUMNS.filter((column) => wanted.includes(column.name));
  return found.length === 0 ? columnsOf([]) : found;
}

export function keptColumns(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

export function keepColumns(names: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // Without storage the next start shows the usual columns.
  }
}
