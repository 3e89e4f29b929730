import { useState } from 'react';

import type { BatchView, LostDecision } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { Problem } from '../../../components/ErrorBox';
import { ENVIRONMENT_WORDS } from '../../../components/labels';
import { useNotices } from '../../../operations/toasts';
import { useDo } from '../../../operations/useOperation';

const TOLD: Record<LostDecision, string> = {
  arrived: 'The batch counts as arrived.',
  send_again: 'The batch is sent again.',
  look_again: 'The batch is looked for once more.',
};

/** An answer that was lost: what a person found in the service's portal decides. */
export function Decision({ batch }: { batch: BatchView }) {
  const [dialog, setDialog] = useState<'arrived' | 'send_again' | null>(null);
  const deciding = useDo('batch_decide', ['batch_list', 'batch_show', 'batch_rows', 'outbox_status', 'audit_list']);
  const { tell } = useNotices();
  const busy = deciding.isPending && 'It is being written down.';
  // What was decided is told even where the batch has moved on, and this panel is gone, before the answer is here.
  const decide = (decision: LostDecision, batch_number = '') =>
    void deciding.mutateAsync({ id: batch.id, decision, batch_number }).then(
      () => {
        setDialog(null);
        tell(TOLD[decision]);
      },
      // Shown by the panel or its dialog.
      () => undefined,
    );
  return (
    <div className="batch-decision" role="group" aria-label="The answer was lost">
      {/* None of them is the usual one: the portal decides. */}
      <Button onClick={() => setDialog('arrived')}>It arrived</Button>
      <Button onClick={() => setDialog('send_again')}>Send again</Button>
      {batch.asks && (
        <Button off={busy} onClick={() => decide('look_again')}>
          Look once more
        </Button>
      )}
      {deciding.error && dialog === null && <Problem error={deciding.error} />}
      {dialog === 'arrived' && (
        <Arrived
          error={deciding.error}
          busy={busy}
          onClose={() => setDialog(null)}
          onDo={(number) => decide('arrived', number)}
        />
      )}
      {dialog === 'send_again' && (
        <Dialog title="Send again" onClose={() => setDialog(null)}>
          <div className="dialog-body">
            {deciding.error && <Problem error={deciding.error} />}
            <p>
              Send again only what you looked for in the portal of {batch.profile} (
              {ENVIRONMENT_WORDS[batch.environment]}) and did not find. A service that took it before may then have it
              twice.
            </p>
          </div>
          <div className="dialog-foot">
            <span className="spring" />
            <Button onClick={() => setDialog(null)}>Not yet</Button>
            <Button look="danger" off={busy} onClick={() => decide('send_again')}>
              It is not there: send again
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

interface ArrivedProps {
  error: ReturnType<typeof useDo>['error'];
  busy: string | false;
  onClose(): void;
  onDo(number: string): void;
}

function Arrived({ error, busy, onClose, onDo }: ArrivedProps) {
  const [number, setNumber] = useState('');
  return (
    <Dialog title="It arrived" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onDo(number.trim());
        }}
      >
        <div className="dialog-body">
          {error && <Problem error={error} />}
          <p>
            Where the portal shows a number of the batch, its results are asked for and land on the rows. Without one
            the rows count as accepted, and their warnings stay in the portal.
          </p>
          <Field
            label="Batch number (where the portal shows one)"
            value={number}
            onChange={setNumber}
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
        </div>
        <div className="dialog-foot">
          <span className="spring" />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" off={busy}>
            It arrived
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
