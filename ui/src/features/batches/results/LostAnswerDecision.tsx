import { useState } from 'react';

import type { BatchView, LostDecision } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { ErrorBox } from '../../../components/ErrorBox';
import { ENVIRONMENT_LABELS } from '../../../components/labels';
import { useToasts } from '../../../operations/toasts';
import { useOperationMutation } from '../../../operations/useOperation';

const DECISION_TOASTS: Record<LostDecision, string> = {
  arrived: 'The batch counts as arrived.',
  send_again: 'The batch is sent again.',
  look_again: 'The batch is looked for once more.',
};

/** An answer that was lost: what a person found in the service's portal decides. */
export function LostAnswerDecision({ batch }: { batch: BatchView }) {
  const [dialog, setDialog] = useState<'arrived' | 'send_again' | null>(null);
  const deciding = useOperationMutation('batch_decide', [
    'batch_list',
    'batch_show',
    'batch_rows',
    'outbox_status',
    'audit_list',
  ]);
  const { showToast } = useToasts();
  const busy = deciding.isPending && 'It is being written down.';
  // What was decided is told even where the batch has moved on, and this panel is gone, before the answer is here.
  const decide = (decision: LostDecision, batch_number = '') =>
    void deciding.mutateAsync({ id: batch.id, decision, batch_number }).then(
      () => {
        setDialog(null);
        showToast(DECISION_TOASTS[decision]);
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
        <Button disabledReason={busy} onClick={() => decide('look_again')}>
          Look once more
        </Button>
      )}
      {deciding.error && dialog === null && <ErrorBox error={deciding.error} />}
      {dialog === 'arrived' && (
        <ArrivedDialog
          error={deciding.error}
          busy={busy}
          onClose={() => setDialog(null)}
          onDo={(number) => decide('arrived', number)}
        />
      )}
      {dialog === 'send_again' && (
        <Dialog title="Send again" onClose={() => setDialog(null)}>
          <div className="dialog-body">
            {deciding.error && <ErrorBox error={deciding.error} />}
            <p>
              Send again only what you looked for in the portal of {batch.profile} (
              {ENVIRONMENT_LABELS[batch.environment]}) and did not find. A service that took it before may then have it
              twice.
            </p>
          </div>
          <div className="dialog-foot">
            <span className="spring" />
            <Button onClick={() => setDialog(null)}>Not yet</Button>
            <Button look="danger" disabledReason={busy} onClick={() => decide('send_again')}>
              It is not there: send again
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

interface ArrivedDialogProps {
  error: ReturnType<typeof useOperationMutation>['error'];
  busy: string | false;
  onClose(): void;
  onDo(number: string): void;
}

function ArrivedDialog({ error, busy, onClose, onDo }: ArrivedDialogProps) {
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
          {error && <ErrorBox error={error} />}
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
          <Button look="primary" type="submit" disabledReason={busy}>
            It arrived
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
