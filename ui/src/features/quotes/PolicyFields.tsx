import type { QuoteRequest } from '../../bindings/operations';
import { Checkbox, DateField, Field, Picker, SelectField } from '../../components';
import { useWorkbench } from '../../workbench/Workbench';
import { bindTexts } from '../../components/bindTexts';

/** Finds the error of a field by its pointer. */
export function useFieldError(): (pointer: string) => string | undefined {
  const { quote } = useWorkbench();
  return (pointer) => quote.errors.find((error) => error.pointer === pointer)?.message;
}

type FlagKey = 'rpg' | 'ecp' | 'tax_exempt' | 'export_list' | 'commission_received' | 'admitted';

/** What binds controls to the texts and the flags of the quote. */
export function useQuoteBinding() {
  const { quote, change } = useWorkbench();
  const error = useFieldError();
  const set = (part: Partial<QuoteRequest>) => change({ do: 'edit', change: part });
  return {
    text: bindTexts(quote.form, set, error),
    flag: (key: FlagKey) => ({
      checked: quote.form[key],
      pointer: `/${key}`,
      error: error(`/${key}`),
      onChange: (on: boolean) => set({ [key]: on }),
    }),
  };
}

/** State, transaction, dates, insured; and what the state and the transaction ask besides. */
export function PolicyFields() {
  const { quote, reference } = useWorkbench();
  const { form, generation } = quote;
  const { text: bind, flag } = useQuoteBinding();
  const state = reference.states.find((each) => each.code === form.state);
  const type = reference.transaction_types.find((each) => each.code === form.transaction_type);
  return (
    <>
      <h2>Policy</h2>
      <div className="pair grid">
        <Picker
          key={`state ${generation}`}
          label="State of the risk"
          noun="state"
          placeholder="Name or code"
          required
          autoFocus={form.state === ''}
          choices={reference.states}
          {...bind('state')}
        />
        <Picker
          key={`type ${generation}`}
          label="Transaction"
          placeholder="Name or code"
          required
          choices={reference.transaction_types}
          {...bind('transaction_type')}
        />
        <DateField label="Policy effective" aria-required today={reference.today} {...bind('policy_effective')} />
        {type?.needs_transaction_date && (
          <DateField
            label="Transaction effective"
            aria-required
            today={reference.today}
            {...bind('transaction_effective')}
          />
        )}
        <SelectField
          label="Insured"
          choices={reference.entity_types}
          {...bind('entity')}
          value={form.entity || 'commercial'}
        />
      </div>
      {type?.credit && (
        <p className="hint inset">Enter the return amount as a positive number. The result is shown as a credit.</p>
      )}
      {state?.asks_commission && (
        <div className="stack grid">
          <Checkbox
            label="Commission received"
            hint="If you receive a commission, you can’t charge a policy fee."
            {...flag('commission_received')}
          />
        </div>
      )}
      {state?.asks_location && <LocationFields />}
    </>
  );
}

/** Kentucky's cities and counties tax insurance premiums: where the risk is decides. */
function LocationFields() {
  const { quote, reference } = useWorkbench();
  const { form, generation } = quote;
  const { text: bind, flag } = useQuoteBinding();
  const state = reference.states.find((each) => each.code === form.state);
  const municipalities = (state?.municipalities ?? []).map((name) => ({ code: name, name }));
  return (
    <>
      <h2>Location of the risk</h2>
      <div className="pair grid">
        <Picker
          key={`municipality ${generation}`}
          label="Taxing city or county"
          placeholder="Name"
          hideCode
          choices={municipalities}
          {...bind('municipality')}
        />
        <Field label="Street address" {...bind('address')} />
        <Field label="City" {...bind('city')} />
        <Field label="ZIP code" {...bind('zip')} />
      </div>
      {state?.asks_admitted && (
        <div className="stack grid">
          <Checkbox label="Admitted business" {...flag('admitted')} />
        </div>
      )}
    </>
  );
}
