import type { TransactionColumnInfo, TransactionColumnKind, TransactionRow } from '../../bindings/operations';
import { formatAmount, formatDate } from '../../values';

/** Pixels at the usual size. */
const WIDTHS: Record<TransactionColumnKind, number> = { text: 120, date: 98, amount: 104, number: 92 };
const OWN_WIDTHS: Record<string, number> = {
  policy_number: 140,
  insured: 210,
  state: 58,
  transaction_type: 58,
  status: 124,
  taxes: 92,
  paid: 96,
  policy_effective: 110,
  own_id: 150,
};

export const columnWidth = ({ name, kind }: TransactionColumnInfo): number => OWN_WIDTHS[name] ?? WIDTHS[kind];

export const isNumericColumn = ({ kind }: TransactionColumnInfo): boolean => kind === 'amount' || kind === 'number';

/** What a cell shows: the row has its columns by their names. */
export function formatCell({ name, kind }: TransactionColumnInfo, row: TransactionRow): string {
  if (name === 'status') return row.status_word;
  if (name === 'paid') return row.paid_word;
  const text = String(row[name as keyof TransactionRow] ?? '');
  if (kind === 'date') return formatDate(text);
  return kind === 'amount' && text !== '' ? formatAmount(text) : text;
}

/** Columns by their names in the table's order; the usual ones where none is known. */
export function findColumns(columns: TransactionColumnInfo[], names: readonly string[]): TransactionColumnInfo[] {
  const found = columns.filter((column) => names.includes(column.name));
  return found.length === 0 ? columns.filter((column) => column.is_usual) : found;
}
