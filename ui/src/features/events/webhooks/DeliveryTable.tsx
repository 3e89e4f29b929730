import { useState } from 'react';

import type { DeliveriesRequest, DeliveryStatus, DeliveryView, WebhookView } from '../../../bindings/operations';
import { Button, DataTable, QueryError, SelectField, WordTag } from '../../../components';
import { useOperationAction, useOperationQuery, useToasts } from '../../../operations';
import { formatTimestamp } from '../../../values';
import { DeliveryDialog } from './DeliveryDialog';
import { ANY, describeResponse, DELIVERY_FILTERS, DELIVERY_STATE_LABELS, describeSchedule } from './webhookLabels';
import { Term } from '../../../components/Term';

const PAGE = 50;
const MAX_DELIVERIES = 1000;
/** While something waits its answer may come any moment. */
const WAITING_MS = 2000;
const RESTING_MS = 10_000;

/** Every delivery to a webhook, the newest first. */
export function DeliveryTable({ webhook }: { webhook: WebhookView }) {
  const [state, setState] = useState<DeliveryStatus | null>(null);
  const [count, setCount] = useState(PAGE);
  const [open, setOpen] = useState<string | null>(null);
  const request: DeliveriesRequest = { webhook: webhook.id, state, count };
  const list = useOperationQuery('deliveries_list', request, {
    alwaysRefetch: true,
    refetchEvery: (now) => (now?.deliveries.some((each) => each.state === 'waiting') ? WAITING_MS : RESTING_MS),
  });
  const deliveries = list.data?.deliveries ?? [];
  return (
    <section className="card deliveries" aria-label={`Deliveries to ${webhook.title}`}>
      <div className="buttons split at-end inset deliveries-head">
        <h2>
          <Term word="delivery">Deliveries</Term> to {webhook.title}
        </h2>
        <SelectField
          label="Show"
          choices={DELIVERY_FILTERS}
          value={state ?? ANY}
          onChange={(code) => setState(code === ANY ? null : (code as DeliveryStatus))}
        />
      </div>
      <QueryError of={list} />
      {list.data && deliveries.length === 0 && (
        <p className="none">{state === null ? 'No deliveries yet.' : 'No deliveries with this status.'}</p>
      )}
      {deliveries.length > 0 && (
        <DataTable
          columns={['Event', 'Status', { num: 'Attempts' }, 'Last response', 'Event time', { hidden: 'Actions' }]}
        >
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpen(delivery.id)} />
          ))}
        </DataTable>
      )}
      {list.data?.more && (
        <p className="inset">
          {count < MAX_DELIVERIES ? (
            <Button onClick={() => setCount((old) => Math.min(old + PAGE, MAX_DELIVERIES))}>Show more</Button>
          ) : (
            'For older deliveries, run bordereau webhook deliveries.'
          )}
        </p>
      )}
      {open !== null && <DeliveryDialog id={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

/** Has the service send a delivery again, and looks at what comes of it. */
export function useResendDelivery() {
  const sending = useOperationAction('events_send_again', [
    'deliveries_list',
    'delivery_log',
    'webhook_list',
    'events_notices',
  ]);
  const { showToast } = useToasts();
  return {
    busy: sending.isPending,
    send: (delivery: string) =>
      sending.mutate({ delivery }, { onSuccess: () => showToast('The service is sending it again.') }),
  };
}

function DeliveryRow({ delivery, onOpen }: { delivery: DeliveryView; onOpen(): void }) {
  const again = useResendDelivery();
  const state = DELIVERY_STATE_LABELS[delivery.state];
  const name = `${delivery.title}, ${delivery.subject}`;
  return (
    <tr data-state={delivery.state}>
      <td>
        <button type="button" className="link-button" aria-label={`View ${name}`} onClick={onOpen}>
          {delivery.title}
        </button>
        <span className="below">{delivery.subject}</span>
      </td>
      <td>
        <WordTag of={state} />
        <span className="below">{describeSchedule(delivery)}</span>
      </td>
      <td className="num">{delivery.attempts}</td>
      <td className="answer">{delivery.attempts > 0 || delivery.error !== '' ? describeResponse(delivery) : ''}</td>
      <td className="quiet-text no-wrap">{formatTimestamp(delivery.created_at)}</td>
      <td className="row-actions">
        <Button small aria-label={`Send again: ${name}`} busy={again.busy} onClick={() => again.send(delivery.id)}>
          Send again
        </Button>
      </td>
    </tr>
  );
}
