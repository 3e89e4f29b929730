import type {
  DeliveryProofKind,
  EventKindInfo,
  Profile,
  ServiceWord,
  SignatureForm,
  WordKind,
} from '../../bindings/operations';
import { Button, Checkbox, Field, SelectField } from '../../components';

interface Props {
  draft: Profile;
  eventKinds: readonly EventKindInfo[];
  onChange(part: Partial<Profile>): void;
  error(pointer: string): string | undefined;
}

const PROOFS: { code: DeliveryProofKind; name: string }[] = [
  { code: 'signature', name: 'Signature' },
  { code: 'header_pair', name: 'Header only (weaker)' },
];
const FORMS: { code: SignatureForm; name: string }[] = [
  { code: 'any', name: 'Hex or Base64' },
  { code: 'hex', name: 'Hex' },
  { code: 'base64', name: 'Base64' },
];

/** How the service differs from the usual one: its calculator and how it proves its deliveries. */
export function ServiceFields({ draft, eventKinds, onChange, error }: Props) {
  return (
    <>
      <div className="whole">
        <Checkbox
          label="This service has no calculator"
          hint="Quotes are then estimates from the built-in rules, and marked so."
          checked={draft.has_no_calculator}
          onChange={(has_no_calculator) => onChange({ has_no_calculator })}
        />
      </div>
      <fieldset className="whole pair paths">
        <legend>Webhook deliveries</legend>
        <SelectField
          label="Deliveries are verified by"
          choices={PROOFS}
          value={draft.delivery_proof}
          onChange={(code) => onChange({ delivery_proof: code as DeliveryProofKind })}
        />
        {draft.delivery_proof === 'header_pair' ? (
          <p className="quiet-text">
            Anyone who knows the header’s value could send a delivery. Choose this only if the service doesn’t sign.
          </p>
        ) : (
          <>
            <Field
              label="Signature header"
              placeholder="X-HMAC-Signature"
              value={draft.signature_header}
              error={error('/signature_header')}
              pointer="/signature_header"
              onChange={(signature_header) => onChange({ signature_header })}
            />
            <SelectField
              label="Signature format"
              choices={FORMS}
              value={draft.signature_form}
              onChange={(code) => onChange({ signature_form: code as SignatureForm })}
            />
            <Field
              label="Text before the signature"
              placeholder="None, or e.g. sha256="
              value={draft.signature_prefix}
              error={error('/signature_prefix')}
              pointer="/signature_prefix"
              onChange={(signature_prefix) => onChange({ signature_prefix })}
            />
          </>
        )}
      </fieldset>
      <ServiceWordTable
        words={draft.words}
        eventKinds={eventKinds}
        onChange={(words) => onChange({ words })}
        error={error}
      />
    </>
  );
}

const KINDS: { code: WordKind; name: string }[] = [
  { code: 'transaction', name: 'Transaction status' },
  { code: 'batch', name: 'Batch status' },
  { code: 'row', name: 'Row status' },
  { code: 'event', name: 'Event' },
];

/** What each kind of word can mean; a transaction’s status is any text, the events are the core’s. */
const MEANINGS: Record<Exclude<WordKind, 'transaction' | 'event'>, { code: string; name: string }[]> = {
  batch: [
    { code: 'queued', name: 'Queued' },
    { code: 'processing', name: 'Processing' },
    { code: 'processed', name: 'Processed' },
    { code: 'failed', name: 'Failed' },
  ],
  row: [
    { code: 'success', name: 'Accepted' },
    { code: 'failed', name: 'Rejected' },
    { code: 'saved', name: 'Saved (incomplete)' },
  ],
};

interface WordTableProps {
  words: ServiceWord[];
  eventKinds: readonly EventKindInfo[];
  onChange(words: ServiceWord[]): void;
  error(pointer: string): string | undefined;
}

/** The service’s own words and what they mean; a word that isn’t here is shown as it came. */
function ServiceWordTable({ words, eventKinds, onChange, error }: WordTableProps) {
  const events = eventKinds
    .filter(({ identifier }) => identifier !== '')
    .map(({ identifier, title }) => ({ code: identifier, name: title }));
  const change = (at: number, part: Partial<ServiceWord>) =>
    onChange(words.map((word, place) => (place === at ? { ...word, ...part } : word)));
  return (
    <fieldset className="whole paths">
      <legend>The service’s own words</legend>
      <p className="hint">
        For example, transaction status 4 means Filed. A word that isn’t listed is shown as the service sends it.
      </p>
      {words.map((word, at) => (
        // A line has no name of its own before it is filled in.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="service-word" role="group" aria-label={`Word ${at + 1}`}>
          <SelectField
            label="Kind"
            choices={KINDS}
            value={word.kind}
            onChange={(kind) => change(at, { kind: kind as WordKind, meaning: '' })}
          />
          <Field
            label="The service says"
            value={word.word}
            error={error(`/words/${at}`)}
            pointer={`/words/${at}`}
            onChange={(text) => change(at, { word: text })}
          />
          {word.kind === 'transaction' ? (
            <Field
              label="It means"
              placeholder="e.g. Filed"
              value={word.meaning}
              onChange={(meaning) => change(at, { meaning })}
            />
          ) : (
            <SelectField
              label="It means"
              choices={word.kind === 'event' ? events : MEANINGS[word.kind]}
              value={word.meaning}
              onChange={(meaning) => change(at, { meaning })}
            />
          )}
          <Button
            small
            aria-label={`Remove word ${at + 1}`}
            onClick={() => onChange(words.filter((_, place) => place !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button small onClick={() => onChange([...words, { kind: 'transaction', word: '', meaning: '' }])}>
        Add a word
      </Button>
    </fieldset>
  );
}
