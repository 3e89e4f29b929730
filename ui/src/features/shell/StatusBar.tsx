import { useEffect, useRef } from 'react';

import type { Status } from '../../bindings/operations';
import { SERVICE_WORDS } from '../../components/labels';
import { outboxWords, useOutbox } from '../../operations/useOutboxStatus';
import { useNotices } from '../../operations/toasts';
import { useStatus } from '../../operations/useOperation';
import { longDate } from '../../values/date';

const COUNT = new Intl.NumberFormat('en-US');

/** What the machine is doing: the service, the limit, how old the rules are. */
export function StatusLine({ rulesChecked }: { rulesChecked: string }) {
  const status = useStatus().data;
  const outbox = useOutbox().data;
  useServiceNews(status);
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

/** A service that comes or goes is read out once; how fast it was is not. */
function useServiceNews(status: Status | undefined): void {
  const { say } = useNotices();
  const service = status?.service;
  const words =
    status && `${status.profile} ${service === 'ready' ? 'service answers' : SERVICE_WORDS[status.service]}`;
  const before = useRef<Status['service']>(undefined);
  useEffect(() => {
    const known = before.current;
    before.current = service ?? known;
    // A start is no news: everybody waits for it.
    if (words && known && known !== service && known !== 'starting' && service !== 'starting') say(`${words}.`);
  }, [service, words, say]);
}
