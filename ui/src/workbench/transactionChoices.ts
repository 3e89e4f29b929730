import type {
  DayRange,
  DocumentTarget,
  NamedTransaction,
  TransactionRow,
  TransactionsFilter,
  TransactionsSearch,
} from '../bindings/operations';
import { useDebounced } from '../components/useDebounced';
import { useOperationQuery } from '../operations/useOperation';

/** Characters that the index searches for at most. */
const TEXT_MAX = 400;
const DEBOUNCE_MS = 120;
/** Any day. */
export const OPEN_RANGE: DayRange = { from: '', to: '' };

/** A filter that every transaction fits. */
export const BLANK_FILTER: TransactionsFilter = {
  text: '',
  filed: OPEN_RANGE,
  policy_effective: OPEN_RANGE,
  transaction_effective: OPEN_RANGE,
  changed_since: '',
  states: [],
  types: [],
  statuses: [],
  documents: [],
  paid: [],
  due: [],
  months: [],
};

/** A search of the index by words alone, the newest first. */
function searchByText(text: string, count: number): TransactionsSearch {
  return {
    filter: { ...BLANK_FILTER, text: text.trim().slice(0, TEXT_MAX) },
    sort: 'id',
    ascending: false,
    from: 0,
    count,
  };
}

/** Transactions on this computer that fit what was typed, the newest first; until they are here, those for what was typed before. */
export function useTransactionMatches(
  typed: string,
  { count, enabled = true }: { count: number; enabled?: boolean },
): { rows: TransactionRow[]; isCurrent: boolean } {
  const text = useDebounced(typed, DEBOUNCE_MS);
  const found = useOperationQuery('transactions_search', searchByText(text, count), {
    enabled,
    alwaysRefetch: true,
    keepPrevious: true,
    cacheMs: 60_000,
  });
  const isCurrent = text === typed && !found.isPlaceholderData && found.data !== undefined;
  return { rows: found.data?.rows ?? [], isCurrent };
}

/** A transaction that something can be given to. */
export interface TransactionChoice {
  id: string;
  target: DocumentTarget;
  title: string;
  extra: string;
}

/** The numbers and names that people know a transaction by. */
export function nameTransaction(of: NamedTransaction): TransactionChoice {
  const names = [of.policy_number, of.insured].filter(Boolean).join(', ');
  const invoice = of.invoice_number && `invoice ${of.invoice_number}`;
  const number = `transaction ${of.transaction_id}`;
  return {
    id: `transaction ${of.transaction_id}`,
    target: { transaction_id: of.transaction_id, invoice_number: '' },
    title: names || `Transaction ${of.transaction_id}`,
    extra: [`${of.state} ${of.transaction_type}`.trim(), invoice, number].filter(Boolean).join(', '),
  };
}

export function nameRow(row: TransactionRow): TransactionChoice {
  return nameTransaction({ ...row, transaction_id: row.id });
}

/** A number that no transaction on this computer has: the service may know it. */
export function nameUnknown(typed: string, rows: TransactionRow[]): TransactionChoice[] {
  const number = typed.trim();
  const extra = 'not on this computer';
  const choices: TransactionChoice[] = [];
  if (/^\d{1,18}$/.test(number) && Number(number) > 0 && !rows.some((row) => row.id === number))
    choices.push({
      id: `number ${number}`,
      target: { transaction_id: number, invoice_number: '' },
      title: `Transaction number ${number}`,
      extra,
    });
  if (number !== '' && !rows.some((row) => row.invoice_number === number))
    choices.push({
      id: `invoice ${number}`,
      target: { transaction_id: '', invoice_number: number },
      title: `Invoice number ${number}`,
      extra,
    });
  return choices;
}
