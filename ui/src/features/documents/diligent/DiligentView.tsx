import './diligent.css';

import { useEffect } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { FormsPrefill } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Check } from '../../../components/Checkbox';
import { DateField } from '../../../components/DateField';
import { Field } from '../../../components/Field';
import { Picker } from '../../../components/Picker';
import { Problem } from '../../../components/ErrorBox';
import { ViewHead } from '../../../components/ViewHeader';
import { useNotices } from '../../../operations/toasts';
import { useDo } from '../../../operations/useOperation';
import { useWorkbench } from '../../../workbench/Workbench';
import { useDiligentPlace } from '../../../workbench/diligentPlace';
import { requestOf } from '../../../workbench/quoteForm';
import { Declinations } from './DeclinationRows';
import { Fields } from './FormSection';
import { Filled } from './FilledForms';
import { begun, emptyRequest, same, sectionsOf, wantedForms } from './formsRequest';
import { Requirement } from './StateRequirement';
import { Standing } from './FormCheckPanel';
import { type Typed, useCheck, useOffer, useTyped } from './useDiligentForms';

/** Diligent effort forms and affidavits: what the state asks for, filled, looked at, saved, printed, uploaded. */
export function DiligentView() {
  const { quote, reference } = useWorkbench();
  const { today } = reference;
  const [{ request, transaction }, setTyped] = useTyped(today);
  const { fail, tell } = useNotices();
  const offer = useOffer(request);
  const forms = wantedForms(offer.data, request.keys);
  const check = useCheck(request, offer.data !== undefined && forms.length > 0);
  const fill = useDo('forms_fill', ['forms_list', 'status']);
  const prefill = useDo('forms_prefill');
  const set = (part: Partial<Typed['request']>) =>
    setTyped((old) => ({ ...old, request: { ...old.request, ...part } }));
  const setTransaction = (id: string) => setTyped((old) => ({ ...old, transaction: id }));
  const problem = (pointer: string) =>
    [...(fill.error?.boundary.details ?? []), ...(check.data?.findings ?? [])].find((each) => each.pointer === pointer)
      ?.message;
  const begin = (from: FormsPrefill) =>
    prefill.mutate(from, {
      onSuccess: (found) => setTyped((old) => ({ ...old, request: begun(old.request, found) })),
      onError: fail,
    });
  const { from, begun: taken } = useDiligentPlace();
  useEffect(() => {
    if (from === '') return;
    taken();
    // What was typed for another insured does not go into this one's forms.
    setTyped(() => ({ request: emptyRequest(today), transaction: from }));
    begin({ quote: null, transaction_id: from });
    // Only when another view asks for it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [from]);
  const fromQuote = () => begin({ quote: requestOf(quote.form, reference), transaction_id: '' });
  const onFill = () => {
    if (forms.length === 0) return tell('Choose a state that has a form first.');
    if (!fill.isPending) fill.mutate(request);
  };
  const startAnew = () => {
    fill.reset();
    setTyped(() => ({ request: emptyRequest(today), transaction: '' }));
  };
  useActions([
    { id: 'diligent.fill', title: 'Fill the forms', group: 'Diligent forms', keys: 'Mod+Enter', run: onFill },
    { id: 'diligent.quote', title: 'Begin forms from the quote', group: 'Diligent forms', run: fromQuote },
    { id: 'diligent.new', title: 'Begin forms anew', group: 'Diligent forms', run: startAnew },
  ]);
  const asked = Math.max(0, ...(check.data?.forms.map((form) => form.asked) ?? []));
  const listing = forms.some((form) => form.sections.some((section) => section.kind === 'declinations'));
  return (
    <div className="view diligent">
      <ViewHead title="Diligent forms" note={offer.data?.state_name ?? ''}>
        <Button onClick={startAnew}>Begin anew</Button>
        <Button
          look="primary"
          keys="Mod+Enter"
          off={forms.length === 0 && 'Choose a state that has a form first.'}
          onClick={onFill}
        >
          {fill.isPending ? 'Filling…' : 'Fill the forms'}
        </Button>
      </ViewHead>
      <div className="diligent-body">
        <div className="diligent-left">
          <section className="card diligent-card" aria-label="For which transaction">
            <div className="diligent-fields">
              <Picker
                label="State of the risk"
                choices={reference.states}
                value={request.state}
                pointer="/state"
                placeholder="Name or code"
                onChange={(state) => set({ state, keys: [] })}
              />
              <Picker
                label="Transaction"
                choices={reference.transaction_types}
                value={request.transaction_type}
                pointer="/transaction_type"
                onChange={(transaction_type) => set({ transaction_type, keys: [] })}
              />
              <DateField
                label="Policy effective"
                today={today}
                value={request.policy_effective_date}
                pointer="/policy_effective_date"
                error={problem('/policy_effective_date')}
                onChange={(policy_effective_date) => set({ policy_effective_date })}
              />
              <div>
                <Check
                  label="Exempt commercial purchaser"
                  checked={request.ecp}
                  onChange={(ecp) => set({ ecp, keys: [] })}
                />
                <Check
                  label="On the export list"
                  checked={request.export_list}
                  onChange={(export_list) => set({ export_list, keys: [] })}
                />
              </div>
            </div>
            <div className="diligent-begin">
              <Button onClick={fromQuote} off={prefill.isPending && 'It is being begun.'}>
                Begin from the quote
              </Button>
              <Field
                label="Transaction number"
                inputMode="numeric"
                value={transaction}
                pointer="/transaction_id"
                onChange={setTransaction}
              />
              <Button
                off={transaction.trim() === '' && 'Type the number of the transaction first.'}
                onClick={() => begin({ quote: null, transaction_id: transaction })}
              >
                Begin from it
              </Button>
            </div>
          </section>
          {offer.error && <Problem error={offer.error} onRemedy={() => void offer.refetch()} />}
          {offer.data && <Requirement offer={offer.data} keys={request.keys} onKeys={(keys) => set({ keys })} />}
          {forms.length > 0 && (
            <>
              {sectionsOf(forms).map((section) => (
                <Fields
                  key={section.title}
                  section={section}
                  values={request.values}
                  today={today}
                  problem={problem}
                  onChange={(name, value) =>
                    setTyped((old) => ({
                      ...old,
                      request: { ...old.request, values: { ...old.request.values, [name]: value } },
                    }))
                  }
                />
              ))}
              {listing && (
                <Declinations
                  rows={request.declinations}
                  asked={asked}
                  carriers={offer.data?.carriers ?? []}
                  today={today}
                  problem={problem}
                  onChange={(declinations) => set({ declinations })}
                />
              )}
            </>
          )}
        </div>
        <div className="diligent-right">
          {forms.length > 0 ? (
            <>
              <p className="quiet-text">A form is complete when every field with a * is filled.</p>
              <Standing check={check.data} />
            </>
          ) : (
            <div className="card empty">
              <strong>{request.state === '' ? 'Choose the state of the risk' : 'Nothing to fill'}</strong>
              <p>
                {request.state === ''
                  ? 'What it asks for is shown with its source, and its forms are filled here.'
                  : 'The state has no form for this transaction and date; why stands beside.'}
              </p>
            </div>
          )}
          {fill.error && <Problem error={fill.error} onRemedy={onFill} />}
          {fill.data && fill.variables && !same(fill.variables, request) && (
            <p className="diligent-note" role="status">
              The entries changed since these forms were filled. Fill them again before they are used.
            </p>
          )}
          {fill.data && <Filled filled={fill.data} transaction={transaction} onTransaction={setTransaction} />}
        </div>
      </div>
    </div>
  );
}
