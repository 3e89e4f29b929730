import { useState } from 'react';

import type { BatchView, LostDecision } from '../../../bindings/operations';
import {
  Button,
  ConfirmationField,
  Dialog,
  ENVIRONMENT_LABELS,
  ErrorBox,
  Field,
  isConfirmationTyped,
} from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';

const DECISION_TOASTS: Record<LostDecision, string> = {
  arrived: 'Batch marked as received.',
  send_again: 'Sending the batch again.',
  look_again: 'Looking for the batch again.',
};

/** An answer that was lost: what a person found in the service's portal decides. */
export function LostAnswerDecision({ batch }: { batch: BatchView }) {
  const [dialog, setDialog] = useState<'arrived' | 'send_again' | null>(null);
  const [typed, setTyped] = useState('');
  const word = batch.environment === 'production' ? batch.profile : '';
  const deciding = useOperationMutation('batch_decide', [
    'batch_list',
    'batch_show',
    'batch_rows',
    'batch_causes',
    'outbox_status',
    'audit_list',
  ]);
  const { showToast } = useToasts();
  const busy = deciding.isPending && 'Working…';
  // What was decided is reported even where the batch has moved on, and this panel is gone, before the answer is here.
  const decide = (decision: LostDecision, batch_number = '') =>
    void deciding.mutateAsync({ id: batch.id, decision, batch_number, typed }).then(
      () => {
        setDialog(null);
        showToast(DECISION_TOASTS[decision]);
      },
      // Shown by the panel or its dialog.
      () => undefined,
    );
  return (
    <div className="buttons batch-decision" role="group" aria-label="No response from the service">
      {/* None of them is the usual one: the portal decides. */}
      <Button onClick={() => setDialog('arrived')}>It was received</Button>
      <Button onClick={() => setDialog('send_again')}>Send again</Button>
      {batch.asks && (
        <Button disabledReason={busy} onClick={() => decide('look_again')}>
          Look again
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
        <Dialog
          title="Send again"
          onClose={() => setDialog(null)}
          error={deciding.error}
          action={{
            label: 'It’s not there. Send again',
            look: 'danger',
            disabledReason: busy || (!isConfirmationTyped(word, typed) && `Type ${word} first.`),
            onClick: () => decide('send_again'),
          }}
        >
          <p>
            Check the portal for {batch.profile} ({ENVIRONMENT_LABELS[batch.environment]}) first. Send again only if the
            batch isn’t there; otherwise the service may end up with it twice.
          </p>
          <ConfirmationField word={word} typed={typed} onTyped={setTyped} />
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
    <Dialog
      title="It was received"
      onClose={onClose}
      error={error}
      onSubmit={() => {
        if (!busy) onDo(number.trim());
      }}
      action={{ label: 'It was received', disabledReason: busy }}
    >
      <p>
        If the portal shows a batch number, enter it to get the results for each row. Without a number, the rows are
        marked as accepted and their warnings stay in the portal.
      </p>
      <Field
        label="Batch number (if the portal shows one)"
        value={number}
        onChange={setNumber}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </Dialog>
  );
}
