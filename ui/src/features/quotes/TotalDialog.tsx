import { useState } from 'react';

import type { PremiumMatch, QuoteRequest } from '../../bindings/operations';
import { AmountField, Button, DataTable, Dialog, errorsByPointer, QueryError } from '../../components';
import { useToasts, useTypedQuery } from '../../operations';
import { formatAmount, formatMoney } from '../../values';
import { normalizeAmount } from '../../values/amount';
import { useWorkbench } from '../../workbench/Workbench';
import { toFormPointer } from '../../workbench/quoteForm';

const hasTotal = (typed: { total: string }) => typed.total.trim() !== '';

interface Props {
  request: QuoteRequest;
  onClose(): void;
}

/** From what the client pays in all to the premium: exactly, or the nearest totals that a premium comes to. */
export function TotalDialog({ request, onClose }: Props) {
  const { quote, change } = useWorkbench();
  const { showToast } = useToasts();
  const [total, setTotal] = useState('');
  // In order, as the field shows it once it is left.
  const typed = { request, total: normalizeAmount(total) };
  const take = (line: number, match: PremiumMatch) => {
    const pointer = toFormPointer(`/lines/${line}/premium`, quote.form);
    change({ do: 'line', at: Number(pointer.split('/')[2]), change: { premium: formatAmount(match.premium) } });
    showToast(`Premium ${formatMoney(match.premium)}: the total is ${formatMoney(match.total)}.`);
    onClose();
  };
  const typedQuery = useTypedQuery('quote_premium_find', typed, {
    isComplete: hasTotal,
    onTaken: ({ line, exact }) => exact && take(line, exact),
  });
  const { query: search, answer, isSettled } = typedQuery;
  const totalError = errorsByPointer(search.error)('/total');
  const found = isSettled ? answer : undefined;
  const exact = found?.exact;
  const unready = found ? 'No premium comes to exactly this total.' : total.trim() === '' && 'Enter a total first.';
  return (
    <Dialog
      title="Premium from a total"
      onClose={onClose}
      onSubmit={typedQuery.takeAnswer}
      action={{
        label: 'Use this premium',
        busy: typedQuery.isAwaited,
        disabledReason: !exact && unready,
      }}
    >
      <div className="stack">
        <AmountField
          label="Total the client pays"
          placeholder="10,000.00"
          value={total}
          onChange={setTotal}
          pointer="/total"
          error={totalError}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
        <p className="hint">
          Premium, the fees in the form, and all taxes together, as estimated. With several lines, clear the premium to
          compute from the total.
        </p>
        {!totalError && <QueryError of={search} />}
        <div role="status">
          {exact && (
            <p>
              Premium <strong className="num">{formatMoney(exact.premium)}</strong> comes to exactly{' '}
              <strong className="num">{formatMoney(exact.total)}</strong>.
            </p>
          )}
          {found && !exact && (
            <NearestTotals matches={[found.below, found.above]} onTake={(match) => take(found.line, match)} />
          )}
        </div>
      </div>
    </Dialog>
  );
}

interface NearestProps {
  matches: (PremiumMatch | null)[];
  onTake(match: PremiumMatch): void;
}

/** Where rounding leaves no exact premium: the totals on both sides, each with the button that takes it. */
function NearestTotals({ matches, onTake }: NearestProps) {
  const near = matches.filter((match) => match !== null);
  const words =
    matches[0] === null
      ? 'The fees and the other lines already come to more than this total.'
      : 'Rounding leaves no premium for exactly this total. These are the nearest:';
  return (
    <>
      <p>{words}</p>
      <DataTable
        label="Nearest totals in US dollars"
        columns={[{ num: 'Total' }, { num: 'Premium' }, { hidden: 'Use' }]}
      >
        {near.map((match) => (
          <tr key={match.premium}>
            <th scope="row" className="num">
              {formatAmount(match.total)}
            </th>
            <td className="num">{formatAmount(match.premium)}</td>
            <td>
              <Button small onClick={() => onTake(match)}>
                Use <span className="only-read">the premium {formatMoney(match.premium)}</span>
              </Button>
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
