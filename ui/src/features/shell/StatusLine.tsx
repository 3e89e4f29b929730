import { SERVICE_WORDS } from '../../components/words';
import { outboxWords, useOutbox } from '../../desk/outbox';
import { useStatus } from '../../desk/queries';
import { longDate } from '../../values/date';

const COUNT = new Intl.NumberFormat('en-US');

/** What the machine is doing: the service, the limit, how old the rules are. */
export function StatusLine({ rulesChecked }: { rulesChecked: string }) {
  const status = useStatus().data;
  const outbox = useOutbox().data;
  const took = status?.service === 'ready' && status.last_ms !== null ? `, ${status.last_ms} ms` : '';
  return (
    <footer className="status">
      {status && (
        <>
          <span className="state">
            <i className={`dot ${status.service}`} aria-hidden="true" />
            {status.profile} {SERVICE_WORDS[status.service]}
            {took}
          </span>
          {outbox && <span>{outboxWords(outbox)}</span>}
          <span className="less">
            Limit {COUNT.format(status.used_this_minute)} of {COUNT.format(status.limit_per_minute)} this minute
          </span>
        </>
      )}
      <span className="spring" />
      <span>Rules checked {longDate(rulesChecked)}</span>
    </footer>
  );
}
