import './diligent.css';

import { useEffect } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { FormsPrefill } from '../../../bindings/operations';
import { Button, ErrorBox, QueryError, ViewHeader } from '../../../components';
import { useOperationAction, useOperationMutation, useToasts } from '../../../operations';
import { useWorkbench } from '../../../workbench/Workbench';
import { useDiligentPlace } from '../../../workbench/diligentPlace';
import { buildQuoteRequest } from '../../../workbench/quoteForm';
import { DeclinationRows } from './DeclinationRows';
import { FormDetails } from './FormDetails';
import { FormSection } from './FormSection';
import { FilledFormList } from './FilledFormList';
import { applyPrefill, blankRequest, isSameRequest, mergeSections, selectForms } from './formsRequest';
import { StateRequirement } from './StateRequirement';
import { FormCheckPanel } from './FormCheckPanel';
import { type DiligentDraft, useFormsCheck, useFormsOffer, useDiligentDraft } from './useDiligentForms';

/** Diligent effort forms and affidavits: fill, view, save, print and upload what the state requires. */
export function DiligentView() {
  const { quote, reference } = useWorkbench();
  const { today } = reference;
  const [{ request, transaction }, setTyped] = useDiligentDraft(today);
  const { showToast } = useToasts();
  const offer = useFormsOffer(request);
  const forms = selectForms(offer.data, request.keys);
  const check = useFormsCheck(request, offer.data !== undefined && forms.length > 0);
  const fill = useOperationMutation('form_fill', ['form_list', 'status_show']);
  const prefill = useOperationAction('form_prefill');
  const set = (part: Partial<DiligentDraft['request']>) =>
    setTyped((old) => ({ ...old, request: { ...old.request, ...part } }));
  const setTransaction = (id: string) => setTyped((old) => ({ ...old, transaction: id }));
  const problem = (pointer: string) =>
    [...(fill.error?.boundary.details ?? []), ...(check.data?.findings ?? [])].find((each) => each.pointer === pointer)
      ?.message;
  const prefillForms = (from: FormsPrefill) =>
    prefill.mutate(from, {
      onSuccess: (found) => setTyped((old) => ({ ...old, request: applyPrefill(old.request, found) })),
    });
  const { prefillFrom, clearPrefill: markPrefilled } = useDiligentPlace();
  useEffect(() => {
    if (prefillFrom === '') return;
    markPrefilled();
    // What was typed for another insured does not go into this one's forms.
    setTyped(() => ({ request: blankRequest(today), transaction: prefillFrom }));
    prefillForms({ quote: null, transaction_id: prefillFrom });
    // Only when another view asks for it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [prefillFrom]);
  const fromQuote = () => prefillForms({ quote: buildQuoteRequest(quote.form, reference), transaction_id: '' });
  const onFill = () => {
    if (forms.length === 0) return showToast('Choose a state with a form first.');
    if (!fill.isPending) fill.mutate(request);
  };
  const startOver = () => {
    fill.reset();
    setTyped(() => ({ request: blankRequest(today), transaction: '' }));
  };
  useActions([
    { id: 'diligent.fill', title: 'Fill forms', group: 'Diligent effort', keys: 'Mod+Enter', run: onFill },
    { id: 'diligent.quote', title: 'Start forms from this quote', group: 'Diligent effort', run: fromQuote },
    { id: 'diligent.new', title: 'Start forms over', group: 'Diligent effort', run: startOver },
  ]);
  const asked = Math.max(0, ...(check.data?.forms.map((form) => form.asked) ?? []));
  const listing = forms.some((form) => form.sections.some((section) => section.kind === 'declinations'));
  return (
    <div className="view diligent">
      <ViewHeader title="Diligent effort" note={offer.data?.state_name ?? ''}>
        <Button onClick={startOver}>Start over</Button>
        <Button
          look="primary"
          keys="Mod+Enter"
          disabledReason={forms.length === 0 && 'Choose a state with a form first.'}
          onClick={onFill}
        >
          {fill.isPending ? 'Filling…' : 'Fill forms'}
        </Button>
      </ViewHeader>
      <div className="view-body diligent-body">
        <div className="stack loose diligent-left">
          <FormDetails
            request={request}
            onChange={set}
            problem={problem}
            transaction={transaction}
            onTransaction={setTransaction}
            onQuote={fromQuote}
            isPrefilling={prefill.isPending}
            onPrefill={() => prefillForms({ quote: null, transaction_id: transaction })}
          />
          <QueryError of={offer} />
          {offer.data && <StateRequirement offer={offer.data} keys={request.keys} onKeys={(keys) => set({ keys })} />}
          {forms.length > 0 && (
            <>
              {mergeSections(forms).map((section) => (
                <FormSection
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
                <DeclinationRows
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
        <div className="stack loose">
          {forms.length > 0 ? (
            <>
              <p className="quiet-text">A form is complete when every field marked * is filled in.</p>
              <FormCheckPanel check={check.data} />
            </>
          ) : (
            <div className="card empty">
              <strong>{request.state === '' ? 'Choose the state of the risk' : 'Nothing to fill in'}</strong>
              <p>
                {request.state === ''
                  ? 'See what the state requires, with its source, and fill in its forms here.'
                  : 'The state has no form for this transaction and date; see the reason on the left.'}
              </p>
            </div>
          )}
          {fill.error && <ErrorBox error={fill.error} onRetry={onFill} />}
          {fill.data && fill.variables && !isSameRequest(fill.variables, request) && (
            <p className="note-box" role="status">
              Entries changed after these forms were filled. Fill them again before you use them.
            </p>
          )}
          {fill.data && <FilledFormList filled={fill.data} transaction={transaction} onTransaction={setTransaction} />}
        </div>
      </div>
    </div>
  );
}
