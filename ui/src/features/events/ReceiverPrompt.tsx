import { Button } from '../../components/Button';
import { ErrorBox } from '../../components/ErrorBox';
import { useToasts } from '../../operations/toasts';
import { useOperationQuery, useOperationMutation } from '../../operations/useOperation';

const NOTHING = {};

/** The first step, where nothing is received yet: one click where the service is on this computer. */
export function ReceiverPrompt({ onMore }: { onMore(): void }) {
  const settings = useOperationQuery('events_settings', NOTHING).data;
  const subscribing = useOperationMutation('events_subscribe', ['events_settings', 'events_status']);
  const { showToast } = useToasts();
  if (!settings) return null;
  const receive = () => subscribing.mutate(NOTHING, { onSuccess: () => showToast('Events are received from now on.') });
  return (
    <section className="card start-receiving" aria-label="Receive events">
      <div>
        <strong>Hear at once what happens to your filings</strong>
        <p className="quiet-text">
          {settings.one_click
            ? 'The service tells this computer when a batch is processed, a transaction is filed or a tax is paid. Until then it is asked from time to time.'
            : 'This service cannot reach your computer by itself. Receiving says what to set up; until then the service is asked from time to time.'}
        </p>
        {subscribing.error && <ErrorBox error={subscribing.error} onAction={receive} />}
      </div>
      {settings.one_click && (
        <Button look="primary" disabledReason={subscribing.isPending && 'It is under way.'} onClick={receive}>
          Receive events
        </Button>
      )}
      <Button onClick={onMore}>{settings.one_click ? 'More' : 'Set up receiving'}</Button>
    </section>
  );
}
