import type { TransactionRow, TransactionSort } from '../../bindings/operations';
import { formatAmount } from '../../values/amount';
import { formatDate } from '../../values/date';

/** A column of the table; its name is the one the export has. */
export interface TransactionColumn {
  name: string;
  title: string;
  /** Pixels at the usual size. */
  width: number;
  numeric?: boolean;
  sort?: TransactionSort;
  text(row: TransactionRow): string;
}

const PAYMENT_LABELS: Record<string, string> = {
  paid: 'Paid',
  partly: 'Partly paid',
  unpaid: 'Unpaid',
  nothing: 'Nothing to pay',
};

const formatOptional = (value: string) => (value === '' ? '' : formatAmount(value));

export const TABLE_COLUMNS: readonly TransactionColumn[] = [
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
    text: (row) => formatDate(row.transaction_effective),
  },
  {
    name: 'premium',
    title: 'Premium',
    width: 104,
    numeric: true,
    sort: 'premium',
    text: (row) => formatOptional(row.premium),
  },
  { name: 'taxes', title: 'Taxes', width: 92, numeric: true, sort: 'taxes', text: (row) => formatOptional(row.taxes) },
  { name: 'total', title: 'Total', width: 104, numeric: true, sort: 'total', text: (row) => formatOptional(row.total) },
  { name: 'paid', title: 'Payment', width: 96, text: (row) => PAYMENT_LABELS[row.paid] ?? row.paid },
  { name: 'due', title: 'Filing due', width: 98, sort: 'due', text: (row) => formatDate(row.due) },
  { name: 'invoice_number', title: 'Invoice', width: 120, sort: 'invoice', text: (row) => row.invoice_number },
  { name: 'date_filed', title: 'Filed', width: 98, sort: 'filed', text: (row) => formatDate(row.date_filed) },
  {
    name: 'policy_effective',
    title: 'Policy effective',
    width: 110,
    sort: 'policy_effective',
    text: (row) => formatDate(row.policy_effective),
  },
  { name: 'fees', title: 'Fees', width: 92, numeric: true, text: (row) => formatOptional(row.fees) },
  {
    name: 'documents',
    title: 'Documents',
    width: 88,
    numeric: true,
    sort: 'documents',
    text: (row) => String(row.documents),
  },
  { name: 'state_number', title: 'State number', width: 120, text: (row) => row.state_number },
  { name: 'own_id', title: 'Your ID', width: 150, text: (row) => row.own_id },
];

const DEFAULT_COLUMNS = TABLE_COLUMNS.slice(1, 12).map((column) => column.name);
const STORAGE_KEY = 'transactions.columns';

/** Columns by their names in the table's order; the usual ones where none is known. */
export function findColumns(names: readonly string[]): TransactionColumn[] {
  const wanted = names.length === 0 ? DEFAULT_COLUMNS : names;
  const found = TABLE_COLUMNS.filter((column) => wanted.includes(column.name));
  return found.length === 0 ? findColumns([]) : found;
}

export function loadColumnNames(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

export function storeColumnNames(names: string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(names));
  } catch {
    // Without storage the next start shows the usual columns.
  }
}
