import { useEffect, useRef, useState } from 'react';

import type { WebhookSaved } from '../../../bindings/operations';
import { Button, Dialog } from '../../../components';
import { copySecret } from '../../../components/copySecret';
import { useToasts } from '../../../operations';

/** The secret, this once: nothing else keeps it. A click beside the dialog does not lose it. */
export function WebhookSecretDialog({ saved, onClose }: { saved: WebhookSaved; onClose(): void }) {
  const { showToast } = useToasts();
  const [copied, setCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const copy = () =>
    void copySecret(saved.secret).then((done) => {
      setCopied(done);
      showToast(
        done
          ? 'Secret copied. It’s cleared from the clipboard after 30 seconds.'
          : 'Couldn’t copy to the clipboard. Select the secret and copy it.',
      );
    });
  return (
    <Dialog
      title={`Secret for ${saved.webhook.title}`}
      onClose={onClose}
      hasInput
      bodyClass="stack loose"
      foot={
        <>
          <Button ref={button} look={copied ? 'plain' : 'primary'} onClick={copy}>
            Copy secret
          </Button>
          <span className="spring" />
          <Button look={copied ? 'primary' : 'plain'} onClick={onClose}>
            I’ve saved it
          </Button>
        </>
      }
    >
      <p>
        <strong>This is shown only once.</strong> Deliveries are signed with it (header <code>X-HMAC-Signature</code>
        ): the receiver needs it to verify that they come from the service. If it’s lost, create a new one.
      </p>
      <p>
        <code className="copyable secret-shown">{saved.secret}</code>
      </p>
    </Dialog>
  );
}
