import { Dialog } from '../../components/Dialog';
import { ErrorBox } from '../../components/ErrorBox';
import { RawText } from '../../components/RawText';
import { useOperationQuery } from '../../operations/useOperation';
import { pluralize } from '../../values/count';
import { formatWhen } from '../../values/date';
import { useWorkbench } from '../../workbench/Workbench';

/** Deliveries that did not prove where they come from: told, never taken for events. */
export function RefusedDeliveriesDialog({ onClose }: { onClose(): void }) {
  const refused = useOperationQuery('events_refused');
  const { reference } = useWorkbench();
  const deliveries = refused.data?.deliveries ?? [];
  return (
    <Dialog title="Rejected deliveries" onClose={onClose} wide>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Deliveries">
        <p>
          These deliveries were ignored: the signature or header was wrong. If the service sent them, its webhook uses a
          different secret. Resubscribe, or enter the current secret.
        </p>
        {refused.error && <ErrorBox error={refused.error} onAction={() => void refused.refetch()} />}
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
      </div>
    </Dialog>
  );
}
