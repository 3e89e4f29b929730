import './lock.css';

import { useEffect, useState } from 'react';

import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import type { OperationError, Platform } from '../../platform';

/** All there is of a locked window. */
export function LockScreen({ platform, hasSystemSignIn }: { platform: Platform; hasSystemSignIn: boolean }) {
  const [passphrase, setPassphrase] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  useEffect(() => {
    platform.ready();
    platform.call('lock_status', {}).catch(() => undefined);
  }, [platform]);
  const unlock = (withSystem: boolean) => {
    setBusy(true);
    setError('');
    const asked = withSystem ? platform.call('unlock_with_system', {}) : platform.call('unlock', { passphrase });
    asked.catch((failed: OperationError) => {
      setError(failed.message);
      setPassphrase('');
      setBusy(false);
    });
  };
  return (
    <main className="lock-screen">
      <Form
        className="card card-body"
        onSubmit={() => {
          if (!isBusy) unlock(false);
        }}
      >
        <h1>Bordereau is locked</h1>
        <p>Bordereau keeps sending while it’s locked.</p>
        <Field
          label="Passphrase"
          type="password"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The only thing to do here.
          autoFocus
          value={passphrase}
          onChange={setPassphrase}
          error={error || undefined}
        />
        <button type="submit" className="btn primary" aria-busy={isBusy || undefined}>
          Unlock
        </button>
        {hasSystemSignIn && (
          <button type="button" className="btn" disabled={isBusy} onClick={() => unlock(true)}>
            Use this computer’s sign-in
          </button>
        )}
        <p className="quiet-text">
          Forgot it? In a terminal, <code>bordereau lock off --yes</code> switches the lock off.
        </p>
      </Form>
    </main>
  );
}
