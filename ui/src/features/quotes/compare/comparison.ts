import type { CompareColumn, Comparison, QuoteAnswer } from '../../../bindings/operations';
import { formatAmount, isZero, subtractAmounts } from '../../../values';
import { FEE_LABELS } from '../../../workbench/quoteForm';

/** A row of the comparison: one field, an amount for each state. */
interface CompareRow {
  id: string;
  title: string;
  strong: boolean;
  cells: CompareCell[];
}

export interface CompareCell {
  /** USD; null where the state has no such charge or gave no answer. */
  amount: string | null;
  /** The state's own title, where it differs from the row's. */
  title: string;
  /** Against the first state that answered; null for that one. */
  difference: string | null;
}

/** Rows are fields, columns states; rows that are zero in every state are omitted. */
export function buildCompareRows(comparison: Comparison): CompareRow[] {
  const answers = comparison.columns.map((column) => column.answer);
  const fields = answers.flatMap((answer) => answer?.fields ?? []);
  const titles = new Map(fields.map(({ field, plain_title: title }) => [field, title]));
  const charges = [...titles]
    .map(([field, title]) =>
      buildCompareRow(
        field,
        title,
        comparison.columns,
        (answer) => chargeAmount(answer, field),
        chargeTitle(field, title),
      ),
    )
    .filter((each) => each.cells.some((cell) => cell.amount !== null && !isZero(cell.amount)));
  return [
    buildCompareRow('premium', 'Premium', comparison.columns, (answer) => answer.premium),
    buildCompareRow('agency_fee', FEE_LABELS.agency_fee, comparison.columns, (answer) => answer.agency_fee),
    buildCompareRow('inspection_fee', FEE_LABELS.inspection_fee, comparison.columns, (answer) => answer.inspection_fee),
    ...charges,
    { ...buildCompareRow('taxes', 'Taxes and state fees', comparison.columns, (answer) => answer.taxes), strong: true },
    {
      ...buildCompareRow('total', 'Total due', comparison.columns, (answer) => answer.total, describeMissing),
      strong: true,
    },
  ];
}

function chargeAmount(answer: QuoteAnswer, field: string): string | null {
  const found = answer.fields.find((each) => each.field === field);
  return found && !(found.idle && isZero(found.amount)) ? found.amount : null;
}

function chargeTitle(field: string, plain: string) {
  return (answer: QuoteAnswer) => {
    const title = answer.fields.find((each) => each.field === field)?.title ?? '';
    return title.toLowerCase() === plain.toLowerCase() ? '' : title;
  };
}

/** A total that lacks a tax is not cheaper than the others. */
const describeMissing = ({ missing_amounts: missing }: QuoteAnswer) =>
  missing.length === 0 ? '' : `without ${missing.join(', ')}`;

function buildCompareRow(
  id: string,
  title: string,
  columns: CompareColumn[],
  amountOf: (answer: QuoteAnswer) => string | null,
  nameOf: (answer: QuoteAnswer) => string = () => '',
): CompareRow {
  const first = columns.findIndex((column) => column.answer !== null);
  const base = columns[first]?.answer;
  const baseAmount = base ? (amountOf(base) ?? '0.00') : '0.00';
  const cells = columns.map(({ answer }, at) => {
    const amount = answer ? amountOf(answer) : null;
    const difference = answer && at !== first ? subtractAmounts(amount ?? '0.00', baseAmount) : null;
    return { amount, title: answer && amount !== null ? nameOf(answer) : '', difference };
  });
  return { id, title, strong: false, cells };
}

/** `+12.00`, `−3.50`, `same`. */
export function formatStateDifference(difference: string | null): string {
  if (difference === null) return '';
  if (isZero(difference)) return 'same';
  return difference.startsWith('-') ? formatAmount(difference) : `+${formatAmount(difference)}`;
}

/** The comparison as a table for spreadsheets. */
export function buildComparisonTable(comparison: Comparison, names: (code: string) => string): string[][] {
  const plain = (amount: string | null) => (amount === null ? '' : formatAmount(amount).replace('\u2212', '-'));
  const missing = comparison.columns.map(({ answer }) => (answer ? answer.missing_amounts.join(', ') : ''));
  return [
    ['', ...comparison.columns.map((column) => names(column.state))],
    ...buildCompareRows(comparison).map((each) => [each.title, ...each.cells.map((cell) => plain(cell.amount))]),
    ...(missing.some(Boolean) ? [['Not included in the total', ...missing]] : []),
  ];
}
