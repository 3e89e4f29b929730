import type { WebhookView } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { useOperationAction } from '../../../operations/useOperationAction';
import { useToasts } from '../../../operations/toasts';
import { pluralize } from '../../../values/count';

/** What goes with it is said before it goes. */
export function RemoveWebhookDialog({ webhook, onClose }: { webhook: WebhookView; onClose(): void }) {
  const removing = useOperationAction('webhook_remove', [
    'webhook_list',
    'events_settings',
    'events_status',
    'practice_look',
  ]);
  const { showToast } = useToasts();
  const remove = () =>
    removing.mutate(
      { id: webhook.id },
      {
        onSuccess: () => {
          showToast(`Removed ${webhook.title}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog title="Remove this webhook?" onClose={onClose}>
      <div className="dialog-body">
        <p>
          The service stops notifying <strong>{webhook.title}</strong>
          {webhook.waiting > 0
            ? `, and ${pluralize(webhook.waiting, 'delivery', 'deliveries')} in progress are canceled`
            : ''}
          . Its delivery log is deleted too.
          {webhook.here && ' This computer stops receiving events but keeps the ones it has.'}
        </p>
      </div>
      <div className="dialog-foot">
        <span className="spring" />
        <Button onClick={onClose}>Keep webhook</Button>
        <Button look="danger" disabledReason={removing.isPending && 'Working…'} onClick={remove}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
