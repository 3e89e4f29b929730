import { Button, Icon } from '../../components';
import { useOperationAction, useOperationQuery, useToasts } from '../../operations';
import { pluralize } from '../../values';
import { formatEventTime } from './eventLabels';

const SHOWN = 3;
const LOOK_MS = 60_000;

/** What the service gave up after its fourth attempt: its own notices, with the way to have it sent again. */
export function FailureNotices() {
  // A service that has none, or is not reached, has nothing to show here: the status line says the rest.
  const notices = useOperationQuery('events_notices', {}, { refetchEvery: LOOK_MS }).data?.notices ?? [];
  const sending = useOperationAction('events_send_again', ['events_notices', 'events_list']);
  const { showToast } = useToasts();
  if (notices.length === 0) return null;
  return (
    <section className="card card-body tray" aria-label="Failed deliveries">
      <h2>
        <Icon name="warning" /> The service stopped trying to deliver {pluralize(notices.length, 'event')}
      </h2>
      <ul className="stack">
        {notices.slice(0, SHOWN).map((notice) => (
          <li key={notice.id} className="split">
            <div>
              <strong>{notice.webhook_title}</strong>: {notice.event} to <code>{notice.endpoint_url}</code>, stopped{' '}
              {formatEventTime(notice.timestamp)}
              <p className="quiet-text">
                Event {notice.failed_event_id}. {/* Without an answer the service says why in place of its body. */}
                {notice.response_status === null
                  ? notice.response_body || 'No response.'
                  : `Response ${notice.response_status}${notice.response_body === '' ? '' : `: ${notice.response_body}`}`}
              </p>
            </div>
            <Button
              small
              busy={sending.isPending}
              aria-label={`Send again: ${notice.event} to ${notice.webhook_title}`}
              onClick={() =>
                sending.mutate(
                  { delivery: notice.delivery_id },
                  { onSuccess: () => showToast('The service is sending it again.') },
                )
              }
            >
              Send again
            </Button>
          </li>
        ))}
      </ul>
      {notices.length > SHOWN && <p className="quiet-text">And {notices.length - SHOWN} earlier.</p>}
    </section>
  );
}
