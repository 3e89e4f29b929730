import type { FormList } from '../../../bindings/operations';
import { Checkbox, SourceLink, SURENESS_TAGS, Tag, type TagLabel, WordTag } from '../../../components';
import { formatLongDate } from '../../../values';

const REQUIREMENT_LABELS: Record<string, TagLabel> = {
  required: { word: 'Required', tone: 'info' },
  repealed: { word: 'Repealed', tone: 'ok' },
  not_found: { word: 'No rule found', tone: 'warn' },
};

interface Props {
  offer: FormList;
  keys: string[];
  onKeys(keys: string[]): void;
}

/** What the state asks for, from where, how sure, and its forms. */
export function StateRequirement({ offer, keys, onKeys }: Props) {
  const status = REQUIREMENT_LABELS[offer.status] ?? { word: offer.status, tone: 'neutral' as const };
  const sure = SURENESS_TAGS[offer.sureness];
  const all = offer.forms.map((form) => form.key);
  const chosen = keys.length === 0 ? all : keys;
  const toggle = (key: string, on: boolean) => {
    const next = all.filter((each) => (each === key ? on : chosen.includes(each)));
    if (next.length > 0) onKeys(next.length === all.length ? [] : next);
  };
  return (
    <section className="card card-body" aria-label={`What ${offer.state_name} requires`}>
      <h2>
        {offer.state_name} <Tag tone={status.tone}>{status.word}</Tag>
        {offer.since && <span className="quiet-text"> since {formatLongDate(offer.since)}</span>}
      </h2>
      <p>{offer.text}</p>
      <p className="buttons">
        <WordTag of={sure} />
        <span className="quiet-text">{offer.checked}</span>
        {offer.sources.map((source) => (
          <SourceLink key={source.url} title={source.title} url={source.url} />
        ))}
      </p>
      {offer.forms.length === 0 ? (
        <p className="quiet-text">No form for this transaction and date.</p>
      ) : (
        <ul className="stack" aria-label="Forms">
          {offer.forms.map((form) => (
            <li key={form.key}>
              <Checkbox
                label={`${form.title} (${form.code})`}
                checked={chosen.includes(form.key)}
                onChange={(on) => toggle(form.key, on)}
                hint={[
                  `For: ${form.prepares}.`,
                  form.declinations === null ? '' : `${form.declinations} declinations.`,
                  form.declinations_text && `Number: ${form.declinations_text}.`,
                  form.exemptions && `Exempt: ${form.exemptions}`,
                  form.due && `Due ${form.due}.`,
                  form.own ? 'Your own template.' : '',
                ]
                  .filter(Boolean)
                  .join(' ')}
              />
            </li>
          ))}
        </ul>
      )}
      {offer.refused.map((why) => (
        <p key={why} className="note-box">
          Your own template can’t be used. {why}
        </p>
      ))}
    </section>
  );
}
