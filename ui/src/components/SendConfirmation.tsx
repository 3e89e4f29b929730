import type { Environment } from '../bindings/operations';
import { Field } from './Field';
import { ENVIRONMENT_DESCRIPTIONS, ENVIRONMENT_LABELS } from './labels';

/** Where something goes, unmistakably. */
export function SendTarget({ target }: { target: { profile: string; environment: Environment } }) {
  return (
    <div className="send-to" data-environment={target.environment}>
      <span className="word">{ENVIRONMENT_LABELS[target.environment]}</span>
      <span>
        <strong>{target.profile}</strong>
        <br />
        <span className="quiet-text">{ENVIRONMENT_DESCRIPTIONS[target.environment]}</span>
      </span>
    </div>
  );
}

/** What was typed is the word that is asked for, or none is asked for. */
export function isConfirmationTyped(word: string | undefined, typed: string): boolean {
  return word !== undefined && (word === '' || typed.trim().toLowerCase() === word.toLowerCase());
}

interface Props {
  /** Empty: nothing is asked. */
  word: string;
  typed: string;
  onTyped(typed: string): void;
}

/** The first send of a day to production asks for the profile's name. */
export function ConfirmationField({ word, typed, onTyped }: Props) {
  if (word === '') return null;
  return (
    <Field
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      label={`Type ${word} to send to production`}
      hint="Required for the first send of the day. What you send is filed."
      value={typed}
      pointer="/typed"
      onChange={onTyped}
    />
  );
}
