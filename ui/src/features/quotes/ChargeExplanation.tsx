import type { ChargeView } from '../../bindings/operations';
import { SourceLink, SURENESS_TAGS, Tag } from '../../components';
import { formatLongDate } from '../../values';

export { SourceLink, SURENESS_TAGS };

/** Why a charge is what it is: the arithmetic, since when, by which date, from where, how sure. */
export function ChargeExplanation({ charge, estimate }: { charge: ChargeView; estimate: string | null }) {
  const sure = SURENESS_TAGS[charge.sureness];
  // `confirmed 2026` says it all; `0.65% and 1%` needs the word before it.
  const isCheckedEnough = charge.checked.startsWith(sure.word) && charge.checked.length < 30;
  return (
    <div className="why">
      {estimate !== null && <p>This amount is from the service. The built-in rules calculate:</p>}
      <p>
        <b>{charge.explanation}</b>
      </p>
      <p>
        {describeEffectiveDates(charge)} {charge.dated_by && `Based on ${charge.dated_by.replace(/\.$/, '')}.`}
        {charge.lines.length > 0 && ` Applies to ${charge.lines.join(', ')}.`}
      </p>
      {charge.note && <p>{charge.note}</p>}
      <p className="buttons">
        {charge.sources.map((source) => (
          <SourceLink key={`${source.url} ${source.title}`} title={source.title} url={source.url} />
        ))}
        <Tag tone={sure.tone} icon={sure.icon}>
          {isCheckedEnough ? charge.checked : sure.word}
        </Tag>
        {!isCheckedEnough && charge.checked !== '' && <span>{charge.checked}</span>}
      </p>
    </div>
  );
}

function describeEffectiveDates(charge: ChargeView): string {
  if (charge.from === null) return 'Effective date of this rate not found.';
  const until = charge.until === null ? '' : ` until ${formatLongDate(charge.until)}`;
  return `In effect since ${formatLongDate(charge.from)}${until}.`;
}
