import './compare.css';

import { useEffect, useRef, useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import { COMPARED_STATES_MAX, type Comparison } from '../../../bindings/operations';
import { Button, Checkbox, CloseButton, Picker, QueryError, ViewHeader } from '../../../components';
import { useCopyTable } from '../../../components/clipboard';
import { addAmounts, formatLongDate, formatMoney, pluralize } from '../../../values';
import { useWorkbench } from '../../../workbench/Workbench';
import { filledLines, findMissingFields, buildQuoteRequest, findUnreadableFields } from '../../../workbench/quoteForm';
import { useNavigation } from '../../../workbench/navigation';
import { CompareTable } from './CompareTable';
import { buildComparisonTable } from './comparison';
import { useOperationQuery } from '../../../operations/useOperation';
import { useToasts } from '../../../operations/toasts';

/** Several states side by side, for the quote on the table. */
export function CompareView() {
  const { quote, reference } = useWorkbench();
  const [states, setStates] = useState<string[]>(() => (quote.form.state ? [quote.form.state] : []));
  const [offline, setOffline] = useState(false);
  const ready =
    findMissingFields(quote.form).every((error) => error.pointer === '/state') &&
    findUnreadableFields(quote.form).length === 0;
  const { fee_charged_by, occupancy, assessment_rate } = quote.form;
  // Each state uses only the answers that it asks for, whatever the state of the form asks.
  const request = { ...buildQuoteRequest(quote.form, reference), fee_charged_by, occupancy, assessment_rate };
  const compared = useOperationQuery(
    'quote_compare',
    { request, states, offline },
    { enabled: ready && states.length > 0, keepPrevious: true },
  );
  const name = (code: string) => reference.states.find((state) => state.code === code)?.name ?? code;
  useAnnounceTotal(compared.isPlaceholderData ? undefined : compared.data, name);
  const copy = useCopyTable(() => compared.data && buildComparisonTable(compared.data, name));
  useActions([
    { id: 'compare.copy', title: 'Copy comparison as table', group: 'Compare', keys: 'Mod+Shift+C', run: copy },
  ]);
  const left = reference.states.filter((state) => !states.includes(state.code));
  return (
    <div className="view compare">
      <ViewHeader title="Compare states" note={<ComparisonBasis />}>
        <Button keys="Mod+Shift+C" onClick={copy}>
          Copy as table
        </Button>
      </ViewHeader>
      <div className="view-body">
        {ready ? (
          <>
            <div className="card buttons at-end compare-states">
              <ul className="buttons chosen" aria-label="States compared">
                {states.map((code) => (
                  <li key={code} className="in-line">
                    {name(code)}
                    <CloseButton
                      label={`Remove ${name(code)}`}
                      onClick={() => setStates(states.filter((each) => each !== code))}
                    />
                  </li>
                ))}
              </ul>
              {states.length < COMPARED_STATES_MAX ? (
                <Picker
                  // A fresh, empty field after each choice.
                  key={`add ${states.join(' ')}`}
                  autoFocus
                  label={`Add a state (${states.length} of ${COMPARED_STATES_MAX})`}
                  placeholder="Name or code"
                  noun="state"
                  choices={left}
                  value=""
                  pointer="/states"
                  onChange={(code) => code !== '' && setStates([...states, code])}
                />
              ) : (
                <p className="quiet-text">
                  You can compare up to {COMPARED_STATES_MAX} states. Remove one to add another.
                </p>
              )}
              <Checkbox label="Estimate only, without the service" checked={offline} onChange={setOffline} />
            </div>
            <QueryError of={compared} />
            {compared.data && states.length > 0 && <CompareTable comparison={compared.data} name={name} />}
            {states.length === 0 && (
              <div className="card empty">
                <strong>Add states to compare</strong>
                <p>Lines, premiums, fees, and dates come from the quote. Amounts are compared with the first state.</p>
              </div>
            )}
          </>
        ) : (
          <IncompleteQuote />
        )}
      </div>
    </div>
  );
}

/** Announces the total of the state that was added last; the rest is in the table. */
function useAnnounceTotal(comparison: Comparison | undefined, name: (code: string) => string): void {
  const { announce } = useToasts();
  const states = comparison?.columns.map((column) => column.state).join(' ') ?? '';
  const before = useRef(states);
  const last = comparison?.columns.at(-1);
  const words =
    last && `${name(last.state)}: ${last.answer ? `total due ${formatMoney(last.answer.total)}` : 'no response'}.`;
  useEffect(() => {
    const grew = states.length > before.current.length && before.current !== '';
    before.current = states;
    if (grew && words) announce(words);
  }, [states, words, announce]);
}

/** What is compared, in a few words. */
function ComparisonBasis() {
  const { quote } = useWorkbench();
  const lines = filledLines(quote.form);
  if (lines.length === 0) return null;
  const premium = formatMoney(addAmounts(...lines.map((line) => line.premium)));
  const count = pluralize(lines.length, 'line');
  return (
    <>
      {count}, premium {premium}, effective {formatLongDate(quote.form.policy_effective)}
    </>
  );
}

function IncompleteQuote() {
  const { go } = useNavigation();
  return (
    <div className="card empty">
      <strong>Fill in the quote first</strong>
      <p>The comparison uses its lines, premiums, fees, and dates. Enter at least one line with a premium.</p>
      <Button look="primary" keys="Mod+1" onClick={() => go('quote')}>
        Go to quote
      </Button>
    </div>
  );
}
