import type { QuoteRequest } from '../../bindings/operations';
import { Checkbox } from '../../components/Checkbox';
import { SelectField } from '../../components/SelectField';
import { DateField } from '../../components/DateField';
import { Field } from '../../components/Field';
import { Picker } from '../../components/Picker';
import { useWorkbench } from '../../workbench/Workbench';

/** Finds the error of a field by its pointer. */
export function useFieldError(): (pointer: string) => string | undefined {
  const { quote } = useWorkbench();
  return (pointer) => quote.errors.find((error) => error.pointer === pointer)?.message;
}

type TextKey = Exclude<
  { [key in keyof QuoteRequest]: QuoteRequest[key] extends string ? key : never }[keyof QuoteRequest],
  undefined
>;

/** What binds a control to a text of the quote. */
function useQuoteText() {
  const { quote, change } = useWorkbench();
  const error = useFieldError();
  return (key: TextKey) => ({
    value: quote.form[key],
    pointer: `/${key}`,
    error: error(`/${key}`),
    onChange: (text: string) => change({ do: 'edit', change: { [key]: text } }),
  });
}

/** State, transaction, dates, insured; and what the state and the transaction ask besides. */
export function PolicyFields() {
  const { quote, change, reference } = useWorkbench();
  const { form, generation } = quote;
  const error = useFieldError();
  const bind = useQuoteText();
  const state = reference.states.find((each) => each.code === form.state);
  const type = reference.transaction_types.find((each) => each.code === form.transaction_type);
  return (
    <>
      <h2>Policy</h2>
      <div className="pair grid">
        <Picker
          key={`state ${generation}`}
          label="State of the risk"
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
          value={form.entity || 'commercial'}
          pointer="/entity"
          error={error('/entity')}
          onChange={(code) => change({ do: 'edit', change: { entity: code } })}
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
            pointer="/commission_received"
            error={error('/commission_received')}
            checked={form.commission_received}
            onChange={(on) => change({ do: 'edit', change: { commission_received: on } })}
          />
        </div>
      )}
      {state?.asks_location && <LocationFields />}
    </>
  );
}

/** Kentucky's cities and counties tax insurance premiums: where the risk is decides. */
function LocationFields() {
  const { quote, change, reference } = useWorkbench();
  const { form, generation } = quote;
  const error = useFieldError();
  const bind = useQuoteText();
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
          <Checkbox
            label="Admitted business"
            pointer="/admitted"
            error={error('/admitted')}
            checked={form.admitted}
            onChange={(on) => change({ do: 'edit', change: { admitted: on } })}
          />
        </div>
      )}
    </>
  );
}
