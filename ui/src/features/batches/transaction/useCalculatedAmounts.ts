import type { QuoteRequest } from '../../../bindings/operations';
import { useDebounced } from '../../../components';
import { useOperationQuery } from '../../../operations/useOperation';
import { parseDate } from '../../../values/date';
import { blankForm } from '../../../workbench/quoteForm';
import { useWorkbench } from '../../../workbench/Workbench';
import { readShares } from './transactionSections';
import type { TransactionCells } from './useTransactionCells';

const REST_MS = 400;

/** What the built-in rules calculate for what was typed so far, by column; empty while they cannot. */
export function useCalculatedAmounts(cells: TransactionCells): Record<string, string> {
  const { reference } = useWorkbench();
  const request = useDebounced(JSON.stringify(toQuote(cells, reference.today)), REST_MS);
  const quote = JSON.parse(request) as QuoteRequest;
  const isAsked = quote.state !== '' && quote.lines.some((line) => line.code !== '' && line.premium !== '');
  const { data } = useOperationQuery('quote_estimate', quote, { enabled: isAsked });
  if (!data || !isAsked) return {};
  // A credit is written without its minus in an import: the type says that it is one.
  const size = (amount: string) => amount.replace(/^-/, '');
  const charges = data.fields.filter((field) => !field.idle).map((field) => [field.field, size(field.amount)]);
  return Object.fromEntries([...charges, ['premium', size(data.premium)], ['total', size(data.total)]]) as Record<
    string,
    string
  >;
}

function toQuote(cells: TransactionCells, today: string): QuoteRequest {
  const { text } = cells;
  const date = (field: string) => parseDate(text(field), today) ?? text(field);
  const flag = (field: string) => text(field) === '1';
  const lines = readShares(text('line_of_business_list'), text('line_of_business_coverage'));
  return {
    ...blankForm(date('policy_effective_date')),
    state: text('physical_state'),
    transaction_type: text('transaction_type'),
    lines: lines.map((line) => ({
      code: line.code,
      premium: line.share || (lines.length === 1 ? text('premium') : ''),
    })),
    agency_fee: text('agency_fee'),
    inspection_fee: text('inspection_fee'),
    transaction_effective: date('transaction_effective_date'),
    entity: text('insured_entity'),
    rpg: flag('rpg'),
    ecp: flag('ecp'),
    tax_exempt: flag('exempt'),
    commission_received: flag('commission_received'),
    written_as: text('account_written_as'),
    address: text('physical_address'),
    city: text('physical_city'),
    zip: text('physical_zip_code'),
    fee_charged_by: text('agency_fee_charged_by'),
    occupancy: text('occupancy'),
    assessment_rate: text('assessment_rate'),
  };
}
