import type { PracticeState, PracticeWaiting } from '../../bindings/operations';
import { Button, RawText } from '../../components';
import { formatTime, formatWhen } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { useNavigation } from '../../workbench/navigation';

/** What the service has in its queue, and what it would have mailed. */
export function ServiceQueue({ state }: { state: PracticeState }) {
  const { reference } = useWorkbench();
  const { go } = useNavigation();
  return (
    <>
      <section className="card card-body" aria-label="Queue">
        <h2>Queue</h2>
        <WaitingList title="Batches" none="No batches in progress." items={state.batches} />
        <WaitingList
          title={`Deliveries${state.deliveries_waiting > state.deliveries.length ? ` (${state.deliveries_waiting})` : ''}`}
          none="No deliveries waiting."
          items={state.deliveries}
        />
        <div className="buttons">
          <Button onClick={() => go('webhooks')}>Webhooks</Button>
        </div>
      </section>
      <section className="card card-body" aria-label="Outgoing mail">
        <h2>Outgoing mail</h2>
        {state.mail.length === 0 && <p className="quiet-text">No mail. The practice service never sends real mail.</p>}
        {state.mail.length > 0 && (
          <ul className="stack wrap-anywhere">
            {state.mail.map((mail) => (
              <li key={mail.id}>
                <details>
                  <summary>
                    <strong>{mail.subject}</strong>{' '}
                    <span className="quiet-text">
                      to {mail.to}, {formatWhen(mail.sent_at, reference.today)}
                    </span>
                  </summary>
                  <RawText label={mail.subject} text={mail.text} />
                </details>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function WaitingList({ title, none, items }: { title: string; none: string; items: PracticeWaiting[] }) {
  return (
    <>
      <h3>{title}</h3>
      {items.length === 0 && <p className="quiet-text">{none}</p>}
      {items.length > 0 && (
        <ul className="stack wrap-anywhere">
          {items.map((item) => (
            <li key={item.id}>
              {item.what}
              {item.due !== '' && (
                <span className="quiet-text">
                  {' '}
                  next attempt {formatTime(item.due)}
                  {item.failures > 0 ? `, ${item.failures} failed` : ''}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
