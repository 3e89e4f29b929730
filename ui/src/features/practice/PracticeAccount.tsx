import { useState } from 'react';

import type { PracticeAct, AccountRole, PracticeState } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { copySecret } from '../../components/copySecret';
import { Dialog } from '../../components/Dialog';
import { SelectField } from '../../components/SelectField';
import { useToasts } from '../../operations/toasts';

const ROLES: { code: AccountRole; name: string }[] = [
  { code: 'agency_administrator', name: 'Agency administrator' },
  { code: 'filing_agency_administrator', name: 'Filing agency administrator' },
  { code: 'support', name: 'Support' },
  { code: 'user', name: 'User without rights to keys' },
];

interface Props {
  busy: boolean;
  state: PracticeState | undefined;
  onAct(act: PracticeAct): void;
}

/** Who may make API keys, and a new one: what an administrator does in a real account’s settings. */
export function PracticeAccount({ busy, state, onAct }: Props) {
  const waiting = busy && 'Working…';
  return (
    <section className="card card-body" aria-label="Account and API key">
      <h2>Account and API key</h2>
      <p className="quiet-text">
        An agency administrator generates the account’s key. A new key makes the old one inactive at once; this computer
        uses the new one.
      </p>
      <SelectField
        label="Role of this account"
        choices={ROLES}
        value={state?.role ?? 'filing_agency_administrator'}
        onChange={(role) => onAct({ kind: 'role', role: role as AccountRole })}
      />
      <div className="buttons">
        <Button disabledReason={waiting} onClick={() => onAct({ kind: 'new_key' })}>
          Generate a new key
        </Button>
      </div>
    </section>
  );
}

/** The key, this once. */
export function PracticeKeyDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const { showToast } = useToasts();
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void copySecret(secret).then((done) => {
      setCopied(done);
      showToast(
        done
          ? 'Key copied. It’s cleared from the clipboard after 30 seconds.'
          : 'Couldn’t copy to the clipboard. Select the key and copy it.',
      );
    });
  return (
    <Dialog title="New API key" hasInput onClose={onClose}>
      <div className="dialog-body stack loose">
        <p>
          <strong>This is shown only once.</strong> The old key no longer works.
        </p>
        <p>
          <code className="copyable secret-shown">{secret}</code>
        </p>
      </div>
      <div className="dialog-foot">
        <Button look={copied ? 'plain' : 'primary'} onClick={copy}>
          Copy key
        </Button>
        <span className="spring" />
        <Button look={copied ? 'primary' : 'plain'} onClick={onClose}>
          I’ve saved it
        </Button>
      </div>
    </Dialog>
  );
}
