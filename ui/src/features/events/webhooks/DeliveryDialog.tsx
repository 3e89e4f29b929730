import type { DeliveryTry } from '../../../bindings/operations';
import { Button, Dialog, RawText, Tag, WordTag } from '../../../components';
import { useOperationQuery } from '../../../operations';
import { formatTimestamp, pluralize } from '../../../values';
import { useResendDelivery } from './DeliveryTable';
import { describeResponse, DELIVERY_STATE_LABELS, describeSchedule } from './webhookLabels';

const WAITING_MS = 2000;
const RESTING_MS = 30_000;

/** All that is known of a delivery: its body, and every attempt with what came back. */
export function DeliveryDialog({ id, onClose }: { id: string; onClose(): void }) {
  const log = useOperationQuery(
    'delivery_log',
    { id },
    { alwaysRefetch: true, refetchEvery: (now) => (now?.delivery.state === 'waiting' ? WAITING_MS : RESTING_MS) },
  );
  const again = useResendDelivery();
  const of = log.data;
  const state = of && DELIVERY_STATE_LABELS[of.delivery.state];
  return (
    <Dialog
      title={of ? `${of.delivery.title}, ${of.delivery.subject}` : `Delivery ${id}`}
      onClose={onClose}
      wide
      scrollLabel="Delivery"
      bodyClass="stack loose wrap-anywhere"
      error={log.error}
      onRetry={log.refetch}
      foot={
        <>
          <Button busy={again.busy} onClick={() => again.send(id)}>
            Send again
          </Button>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {of && state && (
        <>
          <p role="status">
            <WordTag of={state} /> {describeSchedule(of.delivery)}
          </p>
          <p className="quiet-text">
            Delivery {of.delivery.id}, event {of.delivery.event_id} (<code>{of.delivery.event}</code>), happened{' '}
            {formatTimestamp(of.delivery.created_at)}. Times are from the service’s clock.
          </p>
          <h3>{of.tries.length === 0 ? 'No attempts yet' : pluralize(of.tries.length, 'attempt')}</h3>
          <ol className="stack loose numbered" reversed>
            {of.tries.map((tried, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <DeliveryAttempt key={`${tried.at} ${of.tries.length - at}`} of={tried} number={of.tries.length - at} />
            ))}
          </ol>
          <details className="raw">
            <summary>Request body, {pluralize(of.bytes, 'byte')}</summary>
            <RawText label="Request body" text={of.body} />
          </details>
        </>
      )}
    </Dialog>
  );
}

function DeliveryAttempt({ of, number }: { of: DeliveryTry; number: number }) {
  const isGood = of.error === '';
  return (
    <li>
      <Tag tone={isGood ? 'ok' : 'error'} icon={isGood ? 'check' : 'error'}>
        {isGood ? 'received' : 'failed'}
      </Tag>{' '}
      {describeResponse(of)}{' '}
      <span className="quiet-text">
        {formatTimestamp(of.at)}, after {of.milliseconds} ms
      </span>
      {of.response_body !== '' && <RawText label={`Response to attempt ${number}`} text={of.response_body} />}
    </li>
  );
}
