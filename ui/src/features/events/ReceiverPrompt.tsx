import { Button, ErrorBox } from '../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../operations';

/** The first step, where nothing is received yet: one click where the service is on this computer. */
export function ReceiverPrompt({ onMore }: { onMore(): void }) {
  const settings = useOperationQuery('events_settings').data;
  const subscribing = useOperationMutation('events_subscribe', ['events_settings', 'events_status']);
  const { showToast } = useToasts();
  if (!settings) return null;
  const receive = () => subscribing.mutate({}, { onSuccess: () => showToast('Now receiving events.') });
  return (
    <section className="card split inset" aria-label="Receive events">
      <div className="spring">
        <strong>Get notified when a filing changes</strong>
        <p className="quiet-text">
          {settings.one_click
            ? 'The service notifies this computer when a batch is processed, a transaction is filed, or a tax is paid. Until then, Bordereau checks from time to time.'
            : 'This service can’t reach your computer on its own. Set up receiving to see what’s needed. Until then, Bordereau checks from time to time.'}
        </p>
        {subscribing.error && <ErrorBox error={subscribing.error} onRetry={receive} />}
      </div>
      {settings.one_click && (
        <Button look="primary" busy={subscribing.isPending} onClick={receive}>
          Receive events
        </Button>
      )}
      <Button onClick={onMore}>{settings.one_click ? 'Settings' : 'Set up receiving'}</Button>
    </section>
  );
}
