import { useState } from 'react';

import type { EndorsementAnswer, EndorsementRequest, QuoteRequest } from '../../bindings/operations';
import {
  AmountField,
  bindTexts,
  Button,
  Checkbox,
  DataTable,
  DateField,
  Dialog,
  errorsByPointer,
  Picker,
  QueryError,
} from '../../components';
import { Term } from '../../components/Term';
import { useToasts, useTypedQuery } from '../../operations';
import type { OperationError } from '../../platform';
import { formatLongDate, formatMoney } from '../../values';
import { useLineChoices } from '../../workbench/useLineChoices';
import { useWorkbench } from '../../workbench/Workbench';
import { AmountCells, ChangeAmounts, ChangeWarnings } from './ChangeAmounts';

const hasDay = (asked: EndorsementRequest) => asked.endorsed_on !== '';

interface Props {
  request: QuoteRequest;
  onClose(): void;
}

/** A policy that is changed in its term: what the days left cost more or less, and the taxes on that. */
export function EndorsementDialog({ request, onClose }: Props) {
  const { quote, change, reference } = useWorkbench();
  const { showToast } = useToasts();
  const choices = useLineChoices();
  const [terms, setTerms] = useState({ endorsed_on: '', three_decimals: false });
  // The lines of the policy with the same premium, to be changed; those that are added follow.
  const [lines, setLines] = useState(request.lines);
  const kept = request.lines.length;
  const asked = { request, ...terms, after: lines.filter((line) => line.code !== '') };
  const { query, answer, isAwaited, takeAnswer } = useTypedQuery('quote_endorsement', asked, {
    isComplete: hasDay,
    onTaken: (taken) => open(taken),
  });
  const error = errorsByPointer(query.error);
  const text = bindTexts(terms, (part) => setTerms({ ...terms, ...part }), error);
  const setExpires = (policy_expires: string) =>
    change({ do: 'edit', change: { sheet: { ...quote.form.sheet, policy_expires } } });
  const setLine = (at: number, part: { code?: string; premium?: string }) =>
    setLines(lines.map((line, place) => (place === at ? { ...line, ...part } : line)));
  const open = ({ request: endorsement, answer: { total } }: EndorsementAnswer) => {
    const saved = { id: '', name: '', request: endorsement, answer: null, saved_at: '', revision: '' };
    change({ do: 'open', quote: saved, as: 'copy' });
    const message = `The endorsement of ${formatMoney(total)} is in the quote now. Print, send or file it.`;
    showToast(message, () => change({ do: 'put back', quote }));
    onClose();
  };
  return (
    <Dialog
      title="Change a policy"
      wide
      hasInput
      onClose={onClose}
      onSubmit={takeAnswer}
      action={{
        label: 'Quote the endorsement',
        cancel: 'Close',
        busy: isAwaited,
        disabledReason: !answer && 'Enter the day of the change and the premiums after it first.',
      }}
    >
      <div className="cancellation">
        <div className="stack">
          <DateField label="Changed on" required today={reference.today} {...text('endorsed_on')} />
          <DateField
            label="Policy expires"
            today={reference.today}
            pointer="/sheet/policy_expires"
            value={quote.form.sheet.policy_expires}
            onChange={setExpires}
            error={error('/sheet/policy_expires')}
          />
          <h3>Premiums of the whole term after the change</h3>
          {lines.map((line, at) => {
            const name = choices.find(({ code }) => code === line.code)?.name ?? line.code;
            return (
              // oxlint-disable-next-line react/no-array-index-key
              <div key={at} className="stack">
                {at >= kept && (
                  <Picker
                    label="Line that is added"
                    noun="line"
                    placeholder="Name or code"
                    choices={choices}
                    value={line.code}
                    pointer={`/after/${at}/code`}
                    onChange={(code) => setLine(at, { code })}
                  />
                )}
                <AmountField
                  label={at < kept ? name : 'Its premium'}
                  placeholder="0.00"
                  pointer={`/after/${at}/premium`}
                  value={line.premium}
                  error={error(`/after/${at}/premium`)}
                  onChange={(premium) => setLine(at, { premium })}
                />
              </div>
            );
          })}
          <div className="buttons">
            <Button onClick={() => setLines([...lines, { code: '', premium: '' }])}>Add a line</Button>
          </div>
          <Checkbox
            label="Factor of three decimals"
            hint="As printed tables have it."
            checked={terms.three_decimals}
            onChange={(three_decimals) => setTerms({ ...terms, three_decimals })}
          />
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className="stack scrolls" tabIndex={0} role="region" aria-label="What the change costs">
          {!isOwnFault(query.error) && <QueryError of={query} />}
          {error('/after') && <p role="status">{error('/after')}</p>}
          {answer ? (
            <EndorsedAmounts answer={answer} />
          ) : (
            <p className="quiet-text">
              The form has the policy: its lines and premiums, and the day it took effect. Enter the day from which it
              is changed, and the premium that each line would have for the whole term.
            </p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Whether all that is wrong is shown at a field of the dialog. */
function isOwnFault(error: OperationError | null): boolean {
  const faults = error?.boundary.details ?? [];
  const own = /^\/(?:endorsed_on|after(?:\/\d+\/premium)?|sheet\/policy_expires)$/;
  return faults.length > 0 && faults.every(({ pointer }) => own.test(pointer));
}

/** Premium by line, then the taxes, then what is not sure about them. */
function EndorsedAmounts({ answer }: { answer: EndorsementAnswer }) {
  const isReturn = answer.difference.startsWith('-');
  return (
    <>
      <p>
        {formatLongDate(answer.effective)} to {formatLongDate(answer.expires)}: {answer.days_left} of {answer.days} days
        are left. Factor {answer.factor}.
      </p>
      <DataTable
        label="Premium in US dollars"
        columns={[
          'Line',
          { num: 'Before' },
          { num: 'After' },
          {
            name: 'For the days left',
            num: <Term word="pro rata">For the days left</Term>,
          },
        ]}
      >
        {answer.lines.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={`${line.code} ${at}`}>
            <th scope="row">{line.code}</th>
            <AmountCells amounts={[line.before, line.after, line.difference]} />
          </tr>
        ))}
        <tr className="sum">
          <th scope="row">All lines</th>
          <AmountCells amounts={[answer.before, answer.after, answer.difference]} />
        </tr>
      </DataTable>
      <ChangeAmounts
        label="Endorsement"
        total={isReturn ? 'The client gets back' : 'The client pays'}
        answer={answer.answer}
      />
      <ChangeWarnings answer={answer.answer} />
      <p className="quiet-text">
        This is an estimate. Fees of the policy aren’t charged again; type those of the endorsement into its quote.
      </p>
    </>
  );
}
