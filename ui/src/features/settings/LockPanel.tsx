import { useState } from 'react';

import { LOCK_MINUTES, PASSPHRASE_CHARS_MIN, type LockStatus } from '../../bindings/operations';
import { Button, ErrorBox, Field, Form, QueryError } from '../../components';
import { useOperationAction, useOperationMutation, useOperationQuery, useToasts } from '../../operations';

const REFRESH: ['lock_status'] = ['lock_status'];
const SIGN_IN_SENTENCE = 'This computer’s own sign-in unlocks it too. ';

/** When the window locks itself, and its passphrase. */
export function LockPanel() {
  const status = useOperationQuery('lock_status', {}, { alwaysRefetch: true });
  if (status.error) return <QueryError of={status} />;
  if (!status.data) return null;
  return <LockForm key={status.data.minutes} status={status.data} />;
}

function LockForm({ status }: { status: LockStatus }) {
  const { minutes } = status;
  const [chosen, setChosen] = useState(minutes || 15);
  const [current, setCurrent] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const changing = useOperationMutation('lock_change', REFRESH);
  const locking = useOperationAction('lock_now');
  const { showToast } = useToasts();
  const isOn = minutes > 0;
  const isNew = passphrase !== '' || !isOn;
  const why =
    (isOn && current === '' && 'Enter the current passphrase first.') ||
    (chosen > 0 &&
      isNew &&
      passphrase.length < PASSPHRASE_CHARS_MIN &&
      `Choose a passphrase of at least ${PASSPHRASE_CHARS_MIN} characters.`) ||
    (chosen > 0 && isNew && passphrase !== again && 'The two passphrases differ.') ||
    (chosen === 0 && !isOn && 'The lock is off.');
  const save = () =>
    changing.mutate(
      { minutes: chosen, current, passphrase: chosen > 0 ? passphrase : '' },
      {
        onSuccess: (now) => {
          showToast(now.minutes > 0 ? `Bordereau locks after ${now.minutes} minutes.` : 'The lock is off.');
          setCurrent('');
          setPassphrase('');
          setAgain('');
        },
      },
    );
  return (
    <section className="card card-body" aria-label="Lock">
      <h2>{isOn ? `Bordereau locks after ${minutes} minutes without input` : 'The lock is off'}</h2>
      <p>
        A locked window shows nothing until the passphrase is entered. It locks after the minutes you choose, when
        Bordereau starts, after the computer sleeps, and, on Linux, with the screen. Bordereau keeps sending meanwhile.{' '}
        {status.system_sign_in && SIGN_IN_SENTENCE}The lock doesn’t protect against programs that run as you: the
        command line isn’t locked.
      </p>
      {changing.error && <ErrorBox error={changing.error} />}
      <Form
        className="stack loose"
        onSubmit={() => {
          if (!why) save();
        }}
      >
        <fieldset className="buttons choices">
          <legend>Lock after</legend>
          {LOCK_MINUTES.map((each) => (
            <label key={each} className="in-line">
              <input type="radio" name="lock-after" checked={chosen === each} onChange={() => setChosen(each)} />
              {each === 0 ? 'Never' : `${each} minutes`}
            </label>
          ))}
        </fieldset>
        {isOn && (
          <Field
            label="Current passphrase"
            type="password"
            pointer="/current"
            autoComplete="off"
            className="narrow"
            value={current}
            onChange={setCurrent}
          />
        )}
        {chosen > 0 && (
          <>
            <Field
              label={isOn ? 'New passphrase' : 'Passphrase'}
              type="password"
              pointer="/passphrase"
              autoComplete="off"
              className="narrow"
              hint={isOn ? 'Leave it empty to keep the current one.' : 'For this computer only; it isn’t in backups.'}
              value={passphrase}
              onChange={setPassphrase}
            />
            <Field
              label={isOn ? 'Repeat the new passphrase' : 'Repeat the passphrase'}
              type="password"
              autoComplete="off"
              className="narrow"
              value={again}
              onChange={setAgain}
            />
          </>
        )}
        <div className="buttons">
          <Button type="submit" look="primary" busy={changing.isPending} disabledReason={why}>
            {chosen > 0 ? (isOn ? 'Save' : 'Switch on') : 'Switch off'}
          </Button>
          {isOn && <Button onClick={() => locking.mutate({})}>Lock now</Button>}
        </div>
      </Form>
    </section>
  );
}
