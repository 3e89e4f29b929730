import { useState } from 'react';

import type { CancellationAnswer, QuoteRequest, ReturnMethod, SheetDetails } from '../../bindings/operations';
import {
  bindTexts,
  Checkbox,
  DataTable,
  DateField,
  Dialog,
  errorsByPointer,
  Field,
  Icon,
  QueryError,
  SelectField,
} from '../../components';
import { useToasts, useTypedQuery } from '../../operations';
import { formatLongDate, formatMoney } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { Term } from '../../components/Term';
import { AmountCells, ChangeAmounts, ChangeWarnings } from './ChangeAmounts';

const hasDay = (terms: { canceled_on: string }) => terms.canceled_on !== '';
/** Their errors are shown at them. */
const OWN_FIELDS = new Set(['/canceled_on', '/penalty', '/sheet/policy_expires', '/sheet/minimum_earned']);

const METHODS: { code: ReturnMethod; name: string }[] = [
  { code: 'pro_rata', name: 'Pro rata, by days' },
  { code: 'short_rate', name: 'Short rate, with a penalty' },
];

interface Props {
  request: QuoteRequest;
  onClose(): void;
}

/** A policy that is canceled: the premium that goes back by days, and the taxes with it. */
export function CancellationDialog({ request, onClose }: Props) {
  const { quote, change, reference } = useWorkbench();
  const { showToast } = useToasts();
  const [terms, setTerms] = useState({ canceled_on: '', penalty: '', method: 'pro_rata', three_decimals: false });
  const asked = { request, ...terms, method: terms.method as ReturnMethod };
  const { query, answer, isAwaited, takeAnswer } = useTypedQuery('quote_cancellation', asked, {
    isComplete: hasDay,
    onTaken: (taken) => open(taken),
  });
  const error = errorsByPointer(query.error);
  const text = bindTexts(terms, (part) => setTerms({ ...terms, ...part }), error);
  const set = (part: Partial<SheetDetails>) =>
    change({ do: 'edit', change: { sheet: { ...quote.form.sheet, ...part } } });
  const sheet = bindTexts(quote.form.sheet, set, error, '/sheet');
  const faults = query.error?.boundary.details ?? [];
  const isOwnFault = faults.length > 0 && faults.every((detail) => OWN_FIELDS.has(detail.pointer));
  const open = (credit: CancellationAnswer) => {
    const saved = { id: '', name: '', request: credit.request, answer: null, saved_at: '', revision: '' };
    change({ do: 'open', quote: saved, as: 'copy' });
    const message = `The credit of ${formatMoney(credit.answer.total)} is in the quote now. Print, send or file it.`;
    showToast(message, () => change({ do: 'put back', quote }));
    onClose();
  };
  return (
    <Dialog
      title="Cancel a policy"
      wide
      hasInput
      onClose={onClose}
      onSubmit={takeAnswer}
      action={{
        label: 'Quote the credit',
        cancel: 'Close',
        busy: isAwaited,
        disabledReason: !answer && 'Enter the day of the cancellation first.',
      }}
    >
      <div className="cancellation">
        <div className="stack">
          <DateField label="Canceled on" required today={reference.today} {...text('canceled_on')} />
          <DateField label="Policy expires" today={reference.today} {...sheet('policy_expires')} />
          <SelectField label="Return premium" choices={METHODS} {...text('method')} />
          {terms.method === 'short_rate' && <Field label="Penalty" placeholder="10%" numeric {...text('penalty')} />}
          <Field label="Minimum earned" placeholder="e.g. 25% or 500" {...sheet('minimum_earned')} />
          <Checkbox
            label="Factor of three decimals"
            hint="As printed tables have it."
            checked={terms.three_decimals}
            onChange={(three_decimals) => setTerms({ ...terms, three_decimals })}
          />
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className="stack scrolls" tabIndex={0} role="region" aria-label="What is returned">
          {!isOwnFault && <QueryError of={query} />}
          {answer ? (
            <ReturnedAmounts answer={answer} />
          ) : (
            <p className="quiet-text">
              The form has the policy: its lines and premiums, and the day it took effect. Enter the day on which it was
              canceled to see what is returned.
            </p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Premium by line, then the taxes, then what is not sure about them. */
function ReturnedAmounts({ answer }: { answer: CancellationAnswer }) {
  const { answer: credit } = answer;
  const kept = credit.charges.filter((charge) => !/[1-9]/.test(charge.amount));
  return (
    <>
      <p>
        {formatLongDate(answer.effective)} to {formatLongDate(answer.expires)}: {answer.days_left} of {answer.days} days
        are left.{' '}
        {answer.flat ? 'Canceled on its first day, so all of the premium is returned.' : `Factor ${answer.factor}.`}
        {answer.minimum_earned !== null && (
          <>
            {' '}
            The <Term>minimum earned premium</Term> {formatMoney(answer.minimum_earned)} stays with the carrier.
          </>
        )}
      </p>
      <DataTable
        label="Premium in US dollars"
        columns={[
          'Line',
          { num: 'Premium' },
          { name: 'Earned', num: <Term word="earned premium">Earned</Term> },
          { name: 'Returned', num: <Term word="return premium">Returned</Term> },
        ]}
      >
        {answer.lines.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={`${line.code} ${at}`}>
            <th scope="row">{line.code}</th>
            <AmountCells amounts={[line.premium, line.earned, line.returned]} />
          </tr>
        ))}
        <tr className="sum">
          <th scope="row">All lines</th>
          <AmountCells amounts={[answer.premium, answer.earned, answer.returned]} />
        </tr>
      </DataTable>
      <ChangeAmounts label="Credit" total="The client gets back" answer={credit} />
      {kept.map((charge) => (
        <p key={charge.title} className="in-line">
          <Icon name="info" /> {charge.title}: {charge.explanation}
        </p>
      ))}
      <ChangeWarnings answer={credit} />
      <p className="quiet-text">
        This is an estimate. Fees are taken as earned; where one is returned, type it into the quote of the credit.
      </p>
    </>
  );
}
