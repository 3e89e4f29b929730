import './events.css';

import { useState } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import type { EventKind, EventsRequest } from '../../bindings/operations';
import { Button, Checkbox, Icon, QueryError, SelectField, ViewHeader, WordTag } from '../../components';
import { SearchField } from '../../components/SearchField';
import { useEventStatus, useOperationAction, useOperationQuery, useToasts } from '../../operations';
import { AssignmentFilter } from '../../workbench/Assignment';
import { useNavigation } from '../../workbench/navigation';
import { EventDetailPane } from './EventDetailPane';
import { EventList } from './EventList';
import { ReceiverDialog } from './ReceiverDialog';
import { RefusedDeliveriesDialog } from './RefusedDeliveriesDialog';
import { ReceiverPrompt } from './ReceiverPrompt';
import { FailureNotices } from './FailureNotices';
import { RECEIVER_LABELS, useEventKinds } from './eventLabels';
import { formatCount, pluralize } from '../../values';

const PAGE = 100;
const BLANK_REQUEST: EventsRequest = {
  unread: false,
  missed: false,
  what: null,
  batch: '',
  transaction: '',
  state: '',
  search: '',
  assigned_to: null,
  from: 0,
  count: PAGE,
};
const ANY = 'any';

/** What the service announced, and what was found by asking it. */
export function EventsView() {
  const [request, setRequest] = useState(BLANK_REQUEST);
  const { go, subject } = useNavigation();
  const [selected, setSelected] = useState<string | null>(subject || null);
  const [panel, setPanel] = useState<'receiving' | 'refused' | null>(null);
  const list = useOperationQuery('events_list', request);
  const status = useEventStatus().data;
  const marking = useOperationAction('events_mark', ['events_list', 'events_status', 'events_detail']);
  const { showToast } = useToasts();
  const set = (change: Partial<EventsRequest>) => setRequest((old) => ({ ...old, from: 0, count: PAGE, ...change }));
  const readAll = () =>
    marking.mutate({ ids: [], all: true, read: true }, { onSuccess: () => showToast('All events marked as read.') });
  const open = (id: string, read: boolean) => {
    setSelected(id);
    if (!read) marking.mutate({ ids: [id], all: false, read: true });
  };
  const group = 'Events';
  useActions([
    { id: 'events.read', title: 'Mark all events as read', group, run: readAll },
    { id: 'events.receiving', title: 'Receiving', group, run: () => setPanel('receiving') },
    { id: 'events.refused', title: 'Rejected deliveries', group, run: () => setPanel('refused') },
  ]);
  const receiver = status ? RECEIVER_LABELS[status.receiver] : null;
  const filtered = JSON.stringify({ ...request, from: 0, count: PAGE }) !== JSON.stringify(BLANK_REQUEST);
  const events = list.data?.events ?? [];
  const total = list.data?.total ?? 0;
  return (
    <div className="view events">
      <ViewHeader title="Events" note={status ? `${formatCount(status.unread)} unread` : ''}>
        <Button disabledReason={(status?.unread ?? 0) === 0 && 'All events are read.'} onClick={readAll}>
          Mark all as read
        </Button>
        <Button onClick={() => setPanel('receiving')}>Receiving</Button>
        <Button onClick={() => go('webhooks')}>Webhooks</Button>
      </ViewHeader>
      <div className="bar events-status" aria-live="polite">
        {receiver && <WordTag of={receiver} />}
        {status && status.trouble !== '' && <span>{status.trouble}</span>}
        {status && status.refused > 0 && (
          <button type="button" className="link-button" onClick={() => setPanel('refused')}>
            {pluralize(status.refused, 'delivery', 'deliveries')} rejected
          </button>
        )}
      </div>
      <QueryError of={list} />
      <FailureNotices />
      {status?.receiver === 'off' && <ReceiverPrompt onMore={() => setPanel('receiving')} />}
      <EventFilters request={request} states={list.data?.states ?? []} onChange={set} />
      <div className="events-work">
        {list.data && events.length === 0 ? (
          <div className="card empty">
            <Icon name="info" />
            <strong>{filtered ? 'No events match these filters' : 'No events yet'}</strong>
            <p>
              {filtered
                ? 'Change or clear the filters to see more.'
                : 'Processed batches, filed transactions, and paid taxes appear here.'}
            </p>
            {filtered && <Button onClick={() => setRequest(BLANK_REQUEST)}>Clear filters</Button>}
          </div>
        ) : (
          <EventList
            events={events}
            selected={selected}
            onOpen={open}
            more={total - events.length}
            onMore={() => setRequest((old) => ({ ...old, count: Math.min(old.count + PAGE, 200) }))}
          />
        )}
        {selected && (
          <EventDetailPane
            id={selected}
            onOpen={open}
            onOnly={(change) => {
              setRequest({ ...BLANK_REQUEST, ...change });
            }}
            onClose={() => setSelected(null)}
          />
        )}
      </div>
      {panel === 'receiving' && <ReceiverDialog onClose={() => setPanel(null)} />}
      {panel === 'refused' && <RefusedDeliveriesDialog onClose={() => setPanel(null)} />}
    </div>
  );
}

interface EventFilterProps {
  request: EventsRequest;
  states: string[];
  onChange(change: Partial<EventsRequest>): void;
}

function EventFilters({ request, states, onChange }: EventFilterProps) {
  const kinds = [
    { code: ANY, name: 'All types' },
    ...useEventKinds().map(({ kind, title }) => ({ code: kind, name: title })),
  ];
  const where = [{ code: ANY, name: 'All states' }, ...states.map((code) => ({ code, name: code }))];
  return (
    <div className="events-filters" role="search" aria-label="Filter events">
      <SearchField
        title="Search events"
        group="Events"
        placeholder="Policy, batch, invoice, or body text"
        value={request.search}
        onChange={(search) => onChange({ search })}
      />
      <SelectField
        label="Type"
        choices={kinds}
        value={request.what ?? ANY}
        onChange={(code) => onChange({ what: code === ANY ? null : (code as EventKind) })}
      />
      <SelectField
        label="State"
        choices={where}
        value={request.state === '' ? ANY : request.state}
        onChange={(code) => onChange({ state: code === ANY ? '' : code })}
      />
      <AssignmentFilter value={request.assigned_to} onChange={(person) => onChange({ assigned_to: person })} />
      <Checkbox label="Unread only" checked={request.unread} onChange={(unread) => onChange({ unread })} />
      <Checkbox label="Found by checking only" checked={request.missed} onChange={(missed) => onChange({ missed })} />
      {(request.batch !== '' || request.transaction !== '') && (
        <Button small onClick={() => onChange({ batch: '', transaction: '' })}>
          {request.batch !== '' ? `Batch ${request.batch.slice(0, 8)}` : `Transaction ${request.transaction}`}: show all
        </Button>
      )}
    </div>
  );
}
