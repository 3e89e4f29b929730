import { Choose } from '../../components/Choose';
import { Field } from '../../components/Field';
import { useNotices } from '../../desk/notices';
import { useDo } from '../../desk/queries';
import { useWorkbench } from '../../workbench/context';
import { detailsAsked, percentProblem } from '../../workbench/form';
import { useFieldError } from './PolicyFields';

const NOT_SAID = { code: 'none', name: 'Not said' };

function useDetails() {
  const { quote, reference } = useWorkbench();
  const state = reference.states.find((each) => each.code === quote.form.state);
  return detailsAsked(quote.form, state);
}

/** Who charges the agency fee, where the state taxes the two differently; the profile remembers it. */
export function ChargerField() {
  const { quote, change, reference } = useWorkbench();
  const { charger } = useDetails();
  const error = useFieldError();
  const { fail } = useNotices();
  const remember = useDo('profile_fee_charged_by_save', ['reference_data', 'profile_list']);
  if (!charger) return null;
  const choose = (code: string) => {
    const fee_charged_by = code === NOT_SAID.code ? '' : code;
    change({ do: 'edit', change: { fee_charged_by } });
    remember.mutate({ fee_charged_by }, { onError: fail });
  };
  return (
    <Choose
      label="Agency fee charged by"
      choices={[NOT_SAID, ...reference.fee_chargers]}
      value={quote.form.fee_charged_by || reference.fee_charged_by || NOT_SAID.code}
      pointer="/fee_charged_by"
      error={error('/fee_charged_by')}
      onChange={choose}
    />
  );
}

/** What the state asks because of a line: the dwelling, the rate of an assessment. */
export function LineDetails() {
  const { quote, change, reference } = useWorkbench();
  const { dwelling, assessment } = useDetails();
  const error = useFieldError();
  const { form } = quote;
  if (!dwelling && assessment === null) return null;
  return (
    <div className="grid two-up">
      {dwelling && (
        <Choose
          label="Dwelling"
          choices={[NOT_SAID, ...reference.occupancies]}
          value={form.occupancy || NOT_SAID.code}
          pointer="/occupancy"
          error={error('/occupancy')}
          onChange={(code) => change({ do: 'edit', change: { occupancy: code === NOT_SAID.code ? '' : code } })}
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
          error={error('/assessment_rate') ?? percentProblem(form.assessment_rate)}
          onChange={(assessment_rate) => change({ do: 'edit', change: { assessment_rate } })}
        />
      )}
    </div>
  );
}
