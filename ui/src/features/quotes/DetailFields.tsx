import { Field, NOT_SPECIFIED, SelectField } from '../../components';
import { useOperationAction } from '../../operations';
import { DRAFT_QUERIES } from '../../workbench/batchPlace';
import { useWorkbench } from '../../workbench/Workbench';
import { findRequestedDetails, explainInvalidPercent } from '../../workbench/quoteForm';
import { useFieldError, useQuoteBinding } from './PolicyFields';

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
  const remember = useOperationAction('profile_fee_charged_by_save', [
    'reference_data',
    'profile_list',
    ...DRAFT_QUERIES,
  ]);
  if (!charger) return null;
  const choose = (fee_charged_by: string) => {
    change({ do: 'edit', change: { fee_charged_by } });
    remember.mutate({ fee_charged_by });
  };
  return (
    <SelectField
      label="Agency fee charged by"
      choices={[NOT_SPECIFIED, ...reference.fee_chargers]}
      value={quote.form.fee_charged_by || reference.fee_charged_by}
      pointer="/fee_charged_by"
      error={error('/fee_charged_by')}
      onChange={choose}
    />
  );
}

/** What the state asks because of a line: the dwelling, the rate of an assessment. */
export function LineDetailFields() {
  const { quote, reference } = useWorkbench();
  const { dwelling, assessment } = useRequestedDetails();
  const error = useFieldError();
  const { text } = useQuoteBinding();
  if (!dwelling && assessment === null) return null;
  return (
    <div className="pair grid">
      {dwelling && (
        <SelectField label="Dwelling" choices={[NOT_SPECIFIED, ...reference.occupancies]} {...text('occupancy')} />
      )}
      {assessment !== null && (
        <Field
          label={`${assessment} rate`}
          suffix="%"
          numeric
          inputMode="decimal"
          {...text('assessment_rate')}
          error={error('/assessment_rate') ?? explainInvalidPercent(quote.form.assessment_rate)}
        />
      )}
    </div>
  );
}
