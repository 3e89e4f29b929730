import { SelectField } from '../../components/SelectField';
import { Field } from '../../components/Field';
import { useOperationAction } from '../../operations/useOperationAction';
import { useWorkbench } from '../../workbench/Workbench';
import { findRequestedDetails, explainInvalidPercent } from '../../workbench/quoteForm';
import { useFieldError } from './PolicyFields';

const NOT_SPECIFIED = { code: 'none', name: 'Not specified' };

function useRequestedDetails() {
  const { quote, reference } = useWorkbench();
  const state = reference.states.find((each) => each.code === quote.form.state);
  return findRequestedDetails(quote.form, state);
}

/** Who charges the agency fee, where the state taxes the two differently; the profile remembers it. */
export function FeeChargedByField() {
  const { quote, change, reference } = useWorkbench();
  const { charger } = useRequestedDetails();
  const error = useFieldError();
  const remember = useOperationAction('profile_fee_charged_by_save', ['reference_data', 'profile_list']);
  if (!charger) return null;
  const choose = (code: string) => {
    const fee_charged_by = code === NOT_SPECIFIED.code ? '' : code;
    change({ do: 'edit', change: { fee_charged_by } });
    remember.mutate({ fee_charged_by });
  };
  return (
    <SelectField
      label="Agency fee charged by"
      choices={[NOT_SPECIFIED, ...reference.fee_chargers]}
      value={quote.form.fee_charged_by || reference.fee_charged_by || NOT_SPECIFIED.code}
      pointer="/fee_charged_by"
      error={error('/fee_charged_by')}
      onChange={choose}
    />
  );
}

/** What the state asks because of a line: the dwelling, the rate of an assessment. */
export function LineDetailFields() {
  const { quote, change, reference } = useWorkbench();
  const { dwelling, assessment } = useRequestedDetails();
  const error = useFieldError();
  const { form } = quote;
  if (!dwelling && assessment === null) return null;
  return (
    <div className="pair grid">
      {dwelling && (
        <SelectField
          label="Dwelling"
          choices={[NOT_SPECIFIED, ...reference.occupancies]}
          value={form.occupancy || NOT_SPECIFIED.code}
          pointer="/occupancy"
          error={error('/occupancy')}
          onChange={(code) => change({ do: 'edit', change: { occupancy: code === NOT_SPECIFIED.code ? '' : code } })}
        />
      )}
      {assessment !== null && (
        <Field
          label={`${assessment} rate`}
          suffix="%"
          numeric
          inputMode="decimal"
          value={form.assessment_rate}
          pointer="/assessment_rate"
          error={error('/assessment_rate') ?? explainInvalidPercent(form.assessment_rate)}
          onChange={(assessment_rate) => change({ do: 'edit', change: { assessment_rate } })}
        />
      )}
    </div>
  );
}
