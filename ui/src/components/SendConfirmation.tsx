import type { Environment } from '../bindings/operations';
import { Field } from './Field';
import { ENVIRONMENT_MEANING, ENVIRONMENT_WORDS } from './labels';

/** Where something goes, unmistakably. */
export function SendTo({ to }: { to: { profile: string; environment: Environment } }) {
  return (
    <div className="send-to" data-environment={to.environment}>
      <span className="word">{ENVIRONMENT_WORDS[to.environment]}</span>
      <span>
        <strong>{to.profile}</strong>
        <br />
        <span className="quiet-text">{ENVIRONMENT_MEANING[to.environment]}</span>
      </span>
    </div>
  );
}

/** What was typed is the word that is asked for, or none is asked for. */
export function isWord(word: string | undefined, typed: string): boolean {
  return word !== undefined && (word === '' || typed.trim().toLowerCase() === word.toLowerCase());
}

interface Props {
  /** Empty: nothing is asked. */
  word: string;
  typed: string;
  onTyped(typed: string): void;
}

/** The first send of a day to production asks for the profile's name. */
export function SendWord({ word, typed, onTyped }: Props) {
  if (word === '') return null;
  return (
    <Field
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      label={`Type ${word} to send to production`}
      hint="Asked for the first send of the day: what is sent is filed."
      value={typed}
      pointer="/typed"
      onChange={onTyped}
    />
  );
}
