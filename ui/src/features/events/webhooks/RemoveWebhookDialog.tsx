import type { WebhookView } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { useToasts } from '../../../operations/toasts';
import { useOperationMutation } from '../../../operations/useOperation';
import { counted } from './webhookLabels';

/** What goes with it is said before it goes. */
export function RemoveWebhookDialog({ webhook, onClose }: { webhook: WebhookView; onClose(): void }) {
  const removing = useOperationMutation('webhook_remove', [
    'webhook_list',
    'events_settings',
    'events_status',
    'practice_look',
  ]);
  const { showToast, showError } = useToasts();
  const remove = () =>
    removing.mutate(
      { id: webhook.id },
      {
        onSuccess: () => {
          showToast(`Removed ${webhook.title}.`);
          onClose();
        },
        onError: showError,
      },
    );
  return (
    <Dialog title="Remove this webhook?" onClose={onClose}>
      <div className="dialog-body">
        <p>
          The service no longer tells <strong>{webhook.title}</strong> of anything
          {webhook.waiting > 0
            ? `, and ${counted(webhook.waiting, 'delivery', 'deliveries')} on the way to it end`
            : ''}
          . Its log of deliveries goes with it.
          {webhook.here && ' This computer no longer receives events; those that it has stay.'}
        </p>
      </div>
      <div className="dialog-foot">
        <span className="spring" />
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" disabledReason={removing.isPending && 'It is being removed.'} onClick={remove}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
