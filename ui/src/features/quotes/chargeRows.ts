import type { ChargeView, QuoteAnswer } from '../../bindings/operations';
import { addAmounts, formatAmount, isCredit, isZero, subtractAmounts } from '../../values';

/** A line of the result: a charge that explains itself. */
export interface ChargeRow {
  id: string;
  title: string;
  on: string;
  rate: string;
  amount: string;
  /** The rule behind it; null when the built-in rules know no such charge. */
  charge: ChargeView | null;
  /** What the built-in rules make of it, when the service says otherwise. */
  estimate: string | null;
}

/**
 * One row for each charge. The amounts are those of the answer's fields: where the charges of a field do not add up
 * to it, the field gets its own row with the service's amount, and the charges only explain.
 */
export function buildChargeRows(answer: QuoteAnswer): ChargeRow[] {
  const rows: ChargeRow[] = [];
  for (const field of answer.fields) {
    const charges = answer.charges.filter((charge) => charge.field === field.field);
    if (field.idle && charges.length === 0 && isZero(field.amount)) continue;
    const sum = addAmounts(...charges.map((charge) => charge.amount));
    const [first] = charges;
    if (charges.length > 1 && isZero(subtractAmounts(sum, field.amount))) {
      rows.push(
        ...charges.map((charge, at) => toChargeRow(charge, charge.title, charge.amount, null, `${field.field}-${at}`)),
      );
    } else if (charges.length === 1 && first) {
      const estimate = isZero(subtractAmounts(first.amount, field.amount)) ? null : first.amount;
      rows.push(toChargeRow(first, field.title, field.amount, estimate, field.field));
    } else {
      const estimate = charges.length > 0 ? sum : null;
      rows.push({
        id: field.field,
        title: field.title,
        on: '',
        rate: '',
        amount: field.amount,
        charge: first ?? null,
        estimate,
      });
    }
  }
  return rows;
}

function toChargeRow(
  charge: ChargeView,
  title: string,
  amount: string,
  estimate: string | null,
  id: string,
): ChargeRow {
  // With the minus of the amounts beside it.
  return { id, title, on: charge.on.replaceAll('-$', '\u2212$'), rate: charge.rate, amount, charge, estimate };
}

interface FeesRow {
  amount: string;
  on: string;
  /** `not taxed in Texas`, or empty when all is taxed as usual. */
  tag: string;
}

/** Broker's and carrier's fees in one row, with whether the state taxes them. */
export function buildFeesRow(answer: QuoteAnswer): FeesRow | null {
  const { agency_fee: broker, inspection_fee: carrier } = answer;
  if (isZero(broker) && isZero(carrier)) return null;
  const parts = [
    { name: 'broker', amount: broker, taxed: answer.agency_fee_taxed },
    { name: 'carrier', amount: carrier, taxed: answer.inspection_fee_taxed },
  ].filter((part) => !isZero(part.amount));
  const on = parts.map((part) => `${part.name} ${formatAmount(part.amount)}`).join(', ');
  const taxed = parts.map((part) => part.taxed);
  let tag = parts.map((part) => `${part.name} ${describeTaxed(part.taxed)}`).join(', ');
  if (taxed.every((each) => each === taxed[0])) tag = `${describeTaxed(taxed[0] ?? null)} in ${answer.state_name}`;
  return { amount: addAmounts(broker, carrier), on, tag };
}

function describeTaxed(taxed: boolean | null): string {
  if (taxed === null) return 'unknown if taxed';
  return taxed ? 'taxed' : 'not taxed';
}

/** The result as a table for spreadsheets. */
export function buildResultTable(answer: QuoteAnswer): string[][] {
  const fees = buildFeesRow(answer);
  const plain = (amount: string) => formatAmount(amount).replace('\u2212', '-');
  return [
    [`${answer.state_name} ${answer.transaction_type}`, 'Based on', 'Rate', 'Amount'],
    ['Premium', '', '', plain(answer.premium)],
    ...(fees ? [['Fees', fees.on, '', plain(fees.amount)]] : []),
    ...buildChargeRows(answer).map((row) => [row.title, row.on.replaceAll('\u2212', '-'), row.rate, plain(row.amount)]),
    ...answer.missing_amounts.map((title) => [title, '', '', 'not included']),
    ['Taxes and state fees', '', '', plain(answer.taxes)],
    [totalLabel(answer), '', '', plain(answer.total)],
  ];
}

/** What the total is called: a credit isn't due, it goes back. */
export function totalLabel(answer: QuoteAnswer): string {
  return isCredit(answer.total) ? 'Total to return' : 'Total due';
}
