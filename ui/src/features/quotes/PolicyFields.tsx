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

/** State, transaction, dates, insured; and what the state and the transaction ask besides. */
export function PolicyFields() {
  const { quote, change, reference } = useWorkbench();
  const { form, generation } = quote;
  const error = useFieldError();
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
          value={form.state}
          pointer="/state"
          error={error('/state')}
          onChange={(code) => change({ do: 'edit', change: { state: code } })}
        />
        <Picker
          key={`type ${generation}`}
          label="Transaction"
          placeholder="Name or code"
          required
          choices={reference.transaction_types}
          value={form.transaction_type}
          pointer="/transaction_type"
          error={error('/transaction_type')}
          onChange={(code) => change({ do: 'edit', change: { transaction_type: code } })}
        />
        <DateField
          label="Policy effective"
          aria-required
          value={form.policy_effective}
          today={reference.today}
          pointer="/policy_effective"
          error={error('/policy_effective')}
          onChange={(date) => change({ do: 'edit', change: { policy_effective: date } })}
        />
        {type?.needs_transaction_date && (
          <DateField
            label="Transaction effective"
            aria-required
            value={form.transaction_effective}
            today={reference.today}
            pointer="/transaction_effective"
            error={error('/transaction_effective')}
            onChange={(date) => change({ do: 'edit', change: { transaction_effective: date } })}
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
          value={form.municipality}
          pointer="/municipality"
          error={error('/municipality')}
          onChange={(name) => change({ do: 'edit', change: { municipality: name } })}
        />
        <Field
          label="Street address"
          value={form.address}
          pointer="/address"
          error={error('/address')}
          onChange={(address) => change({ do: 'edit', change: { address } })}
        />
        <Field
          label="City"
          value={form.city}
          pointer="/city"
          error={error('/city')}
          onChange={(city) => change({ do: 'edit', change: { city } })}
        />
        <Field
          label="ZIP code"
          value={form.zip}
          pointer="/zip"
          error={error('/zip')}
          onChange={(zip) => change({ do: 'edit', change: { zip } })}
        />
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
