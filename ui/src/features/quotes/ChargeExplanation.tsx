import type { ChargeView } from '../../bindings/operations';
import { Source, SURENESS } from '../../components/SourceLink';
import { Tag } from '../../components/Tag';
import { longDate } from '../../values/date';

export { Source, SURENESS };

/** Why a charge is what it is: the arithmetic, since when, by which date, from where, how sure. */
export function Why({ charge, estimate }: { charge: ChargeView; estimate: string | null }) {
  const sure = SURENESS[charge.sureness];
  // `confirmed 2026` says it all; `0.65 % and 1 %` needs the word before it.
  const told = charge.checked.startsWith(sure.word) && charge.checked.length < 30;
  return (
    <div className="why">
      {estimate !== null && <p>The service gave this amount. The built-in rules explain theirs:</p>}
      <p>
        <b>{charge.explanation}</b>
      </p>
      <p>
        {inForce(charge)} {charge.dated_by && `Dated by ${charge.dated_by.replace(/\.$/, '')}.`}
        {charge.lines.length > 0 && ` On ${charge.lines.join(', ')}.`}
      </p>
      {charge.note && <p>{charge.note}</p>}
      <p className="why-sources">
        {charge.sources.map((source) => (
          <Source key={`${source.url} ${source.title}`} title={source.title} url={source.url} />
        ))}
        <Tag tone={sure.tone} icon={sure.icon}>
          {told ? charge.checked : sure.word}
        </Tag>
        {!told && charge.checked !== '' && <span>{charge.checked}</span>}
      </p>
    </div>
  );
}

function inForce(charge: ChargeView): string {
  if (charge.from === null) return 'Start of this rate not found.';
  const until = charge.until === null ? '' : ` until ${longDate(charge.until)}`;
  return `In force since ${longDate(charge.from)}${until}.`;
}
