import { Dialog, QueryError, RawText } from '../../components';
import { useOperationQuery } from '../../operations';
import { formatWhen, pluralize } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';

/** Deliveries that did not prove where they come from: told, never taken for events. */
export function RefusedDeliveriesDialog({ onClose }: { onClose(): void }) {
  const refused = useOperationQuery('events_refused');
  const { reference } = useWorkbench();
  const deliveries = refused.data?.deliveries ?? [];
  return (
    <Dialog title="Rejected deliveries" onClose={onClose} wide scrollLabel="Deliveries">
      <p>
        These deliveries were ignored: the signature or header was wrong. If the service sent them, its webhook uses a
        different secret. Resubscribe, or enter the current secret.
      </p>
      <QueryError of={refused} />
      {refused.data && refused.data.summary !== '' && <p>{refused.data.summary}</p>}
      {refused.data && deliveries.length === 0 && <p className="quiet-text">No rejected deliveries.</p>}
      <ul className="stack">
        {deliveries.map((delivery, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${delivery.at} ${at}`}>
            <strong>{delivery.why}</strong>{' '}
            <span className="quiet-text">
              {formatWhen(delivery.at, reference.today)}, {pluralize(delivery.bytes, 'byte')}
            </span>
            {delivery.beginning !== '' && (
              <details className="raw">
                <summary>Show content</summary>
                <RawText label="Beginning of the body" text={delivery.beginning} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
