import { useEffect } from 'react';

import type { EventDetail, EventsRequest, EventView } from '../../bindings/operations';
import { Button, CloseButton, ErrorBox, RawText, WordTag } from '../../components';
import { useOperationAction, useOperationQuery, useToasts } from '../../operations';
import { formatMoney, formatTimestamp, pluralize } from '../../values';
import { AssignedPerson, useOfficePeople } from '../../workbench/Assignment';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useOpenTransaction } from '../../workbench/transactionPlace';
import { CHECK_LABELS, eventOrigin, formatEventTime, useEventKinds } from './eventLabels';
import { Term } from '../../components/Term';

interface Props {
  id: string;
  onOpen(id: string, read: boolean): void;
  onOnly(change: Partial<EventsRequest>): void;
  onClose(): void;
}

/** The details of an event: its content, whether the service confirmed it, and the body as it came. */
export function EventDetailPane({ id, onOpen, onOnly, onClose }: Props) {
  const { data: detail, error, refetch } = useOperationQuery('events_detail', { id });
  const marking = useOperationAction('events_mark', ['events_list', 'events_status', 'events_detail']);
  const { openBatch } = useBatchPlace();
  const openTransaction = useOpenTransaction();
  useAnnounceEvent(detail);
  if (!detail)
    return (
      <aside className="card card-body event-detail" aria-label="Event">
        {error && <ErrorBox error={error} onRetry={refetch} />}
      </aside>
    );
  const { event } = detail;
  return (
    <aside className="card card-body event-detail" aria-label="Event">
      <div className="split event-head">
        <h2>{event.title}</h2>
        <CloseButton label="Close event" onClick={onClose} />
      </div>
      <div className="buttons">
        {event.batch_here !== null && (
          <Button look="primary" onClick={() => event.batch_here !== null && openBatch(event.batch_here)}>
            Show batch
          </Button>
        )}
        {event.transaction !== '' && (
          <Button onClick={() => openTransaction(event.transaction)}>Show transaction</Button>
        )}
        {event.transaction !== '' && (
          <Button onClick={() => onOnly({ transaction: event.transaction })}>Events for this transaction</Button>
        )}
        {event.batch !== '' && <Button onClick={() => onOnly({ batch: event.batch })}>Events for this batch</Button>}
        <Button onClick={() => marking.mutate({ ids: [id], all: false, read: false }, { onSuccess: onClose })}>
          Mark as unread
        </Button>
      </div>
      <EventAssignment event={event} />
      {detail.said.length > 0 && (
        <dl className="facts">
          {detail.said.map((said) => (
            <div key={said.name}>
              <dt>{said.name}</dt>
              <dd>{said.is_amount ? formatMoney(said.value) : said.value}</dd>
            </div>
          ))}
        </dl>
      )}
      <EventFacts event={event} signature={detail.signature_says} check={detail.check_says} />
      {detail.body !== '' && (
        <details className="raw">
          <summary>Raw body, {pluralize(detail.bytes, 'byte')}</summary>
          <RawText label="Raw body" text={detail.body} />
        </details>
      )}
      {detail.related.length > 0 && (
        <section aria-label="Related events">
          <h3>Related events</h3>
          <ul className="related">
            {detail.related.map((other) => (
              <li key={other.id}>
                <button type="button" className="link-button" onClick={() => onOpen(other.id, other.read)}>
                  {other.title}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

/** Who of the office does something about it. */
function EventAssignment({ event }: { event: EventView }) {
  if (useOfficePeople() === null) return null;
  return (
    <div>
      Assigned to <AssignedPerson kind="event" id={event.id} name={event.title} assigned={event.assigned} />
    </div>
  );
}

/** The focus stays in the list; what was opened beside it is read out. */
function useAnnounceEvent(detail: EventDetail | undefined): void {
  const { announce } = useToasts();
  const id = detail?.event.id;
  const said = detail?.said.map(
    ({ name, value, is_amount: isAmount }) => `${name} ${isAmount ? formatMoney(value) : value}`,
  );
  const words = detail && [`Opened: ${detail.event.title}`, ...(said ?? [])].join('. ');
  useEffect(() => {
    if (id !== undefined && words !== undefined) announce(`${words}.`);
    // Once for each event, not for each change of what is known of it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id, announce]);
}

function EventFacts({ event, signature, check }: { event: EventView; signature: string; check: string }) {
  const kindTitle = useEventKinds().find(({ kind }) => kind === event.what)?.title ?? 'Event';
  const origin = eventOrigin(event);
  const checked = CHECK_LABELS[event.check];
  const rows: [string, string][] = [
    ['Type', kindTitle],
    ['Event code', event.event],
    ['Reported at', formatEventTime(event.said_at)],
    ['Received', event.received_at === null ? '' : formatTimestamp(event.received_at)],
    ['Found by checking', event.found_at === null ? '' : formatTimestamp(event.found_at)],
    ['Repeats', event.repeats === 0 ? '' : `received ${event.repeats + 1} times, shown once`],
    ['Policy', event.policy_number],
    ['Transaction', event.transaction],
    ['Invoice', event.invoice_number],
    ['State', event.state],
    ['Batch', event.batch],
  ];
  return (
    <dl className="facts">
      <div>
        <dt>Signature</dt>
        <dd>
          <WordTag of={origin} /> {signature}
        </dd>
      </div>
      <div>
        <dt>
          <Term word="reconciliation">Verification</Term>
        </dt>
        <dd>
          <WordTag of={checked} /> {event.check === 'differs' && check}
        </dd>
      </div>
      {rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
