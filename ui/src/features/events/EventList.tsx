import type { EventView } from '../../bindings/operations';
import { Button, Tag, WordTag } from '../../components';
import { formatTimestamp, formatWhen } from '../../values';
import { usePersonName } from '../../workbench/Assignment';
import { useWorkbench } from '../../workbench/Workbench';
import { eventOrigin } from './eventLabels';

interface Props {
  events: EventView[];
  selected: string | null;
  onOpen(id: string, read: boolean): void;
  /** How many more there are. */
  more: number;
  onMore(): void;
}

/** Unread ones first: what is read moves to the others. */
export function EventList({ events, selected, onOpen, more, onMore }: Props) {
  const groups = [
    { title: 'Unread', events: events.filter((event) => !event.read) },
    { title: 'Read', events: events.filter((event) => event.read) },
  ];
  return (
    <div className="events-list">
      {groups
        .filter((group) => group.events.length > 0)
        .map((group) => (
          <section key={group.title} className="card" aria-label={group.title}>
            <h2>{group.title}</h2>
            <ul>
              {group.events.map((event) => (
                <li key={event.id}>
                  <EventRow
                    event={event}
                    isSelected={event.id === selected}
                    onOpen={() => onOpen(event.id, event.read)}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      {more > 0 && <Button onClick={onMore}>Show more ({more})</Button>}
    </div>
  );
}

function EventRow({ event, isSelected, onOpen }: { event: EventView; isSelected: boolean; onOpen(): void }) {
  const { reference } = useWorkbench();
  const nameOf = usePersonName();
  const origin = eventOrigin(event);
  const about = [
    event.state,
    event.transaction === '' ? '' : `Transaction ${event.transaction}`,
    event.invoice_number === '' ? '' : `Invoice ${event.invoice_number}`,
    event.batch === '' ? '' : `Batch ${event.batch.slice(0, 8)}`,
  ].filter(Boolean);
  return (
    <button
      type="button"
      className={`event-row ${event.read ? '' : 'unread'}`}
      aria-current={isSelected ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className="dot" aria-hidden="true" />
      <span className="words">
        <strong>{event.title}</strong>
        {!event.read && <span className="only-read"> (unread)</span>}
        <span className="quiet-text">{about.join(' · ')}</span>
      </span>
      {event.assigned && event.assigned.person !== '' && <Tag tone="neutral">{nameOf(event.assigned.person)}</Tag>}
      {event.received_at === null && <WordTag of={origin} />}
      {event.repeats > 0 && <span className="quiet-text">received {event.repeats + 1} times</span>}
      <time dateTime={event.at} title={formatTimestamp(event.at)}>
        {formatWhen(event.at, reference.today)}
      </time>
    </button>
  );
}
