import { Dialog } from '../../components/Dialog';
import { ErrorBox } from '../../components/ErrorBox';
import { RawText } from '../../components/RawText';
import { useOperationQuery } from '../../operations/useOperation';
import { formatWhen } from '../../values/date';
import { useWorkbench } from '../../workbench/Workbench';

const NOTHING = {};

/** Deliveries that did not prove where they come from: told, never taken for events. */
export function RefusedDeliveriesDialog({ onClose }: { onClose(): void }) {
  const refused = useOperationQuery('events_refused', NOTHING);
  const { reference } = useWorkbench();
  const deliveries = refused.data?.deliveries ?? [];
  return (
    <Dialog title="Refused deliveries" onClose={onClose} wide>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Deliveries">
        <p>
          Whoever sent these did not show the right signature or header. Nothing they say was taken for true. If the
          service sent them, its webhook has another secret: subscribe anew or enter the current one.
        </p>
        {refused.error && <ErrorBox error={refused.error} onAction={() => void refused.refetch()} />}
        {refused.data && deliveries.length === 0 && <p className="quiet-text">None were refused.</p>}
        <ul className="refused">
          {deliveries.map((delivery, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${delivery.at} ${at}`}>
              <strong>{delivery.why}</strong>{' '}
              <span className="quiet-text">
                {formatWhen(delivery.at, reference.today)}, {delivery.bytes} bytes
              </span>
              {delivery.beginning !== '' && (
                <details className="raw">
                  <summary>What it said</summary>
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
