import './lock.css';

import { useEffect, useState } from 'react';

import { Field } from '../../components/Field';
import type { OperationError, Platform } from '../../platform';

/** All there is of a locked window. */
export function LockScreen({ platform }: { platform: Platform }) {
  const [passphrase, setPassphrase] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  useEffect(() => platform.ready(), [platform]);
  const unlock = () => {
    setBusy(true);
    platform.call('unlock', { passphrase }).catch((failed: OperationError) => {
      setError(failed.message);
      setPassphrase('');
      setBusy(false);
    });
  };
  return (
    <main className="lock-screen">
      <form
        className="card card-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) unlock();
        }}
      >
        <h1>Bordereau is locked</h1>
        <p>Sending continues.</p>
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
        <p className="quiet-text">
          Forgotten? <code>bordereau lock off --yes</code> switches the lock off.
        </p>
      </form>
    </main>
  );
}
