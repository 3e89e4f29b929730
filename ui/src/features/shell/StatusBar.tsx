import { useEffect, useRef } from 'react';

import type { Status } from '../../bindings/operations';
import { SERVICE_LABELS } from '../../components';
import { ERRORS } from '../../errors/errorTable';
import {
  describeOutbox,
  findActiveProfile,
  useOutboxStatus,
  useProfiles,
  useServiceStatus,
  useToasts,
} from '../../operations';
import { formatCount, formatLongDate } from '../../values';
import { useNavigation } from '../../workbench/navigation';

/** What the machine is doing: the service, the limit, how old the rules are. */
export function StatusBar({ rulesChecked, onRates }: { rulesChecked: string; onRates(): void }) {
  const { data, error } = useServiceStatus();
  // Answers from before the core ended are out of date.
  const hasEnded = error?.boundary.code === 'core_ended';
  const status = hasEnded ? undefined : data;
  const outbox = useOutboxStatus().data;
  useAnnounceService(status);
  const ms = status?.service === 'ready' ? status.last_ms : null;
  const took = ms === null ? '' : ms < 1000 ? `, ${ms} ms` : `, ${(ms / 1000).toFixed(1)} s`;
  return (
    <footer className="status">
      {status && (
        <>
          <span className="in-line state">
            <i className={`dot ${status.service}`} aria-hidden="true" />
            {status.profile} {SERVICE_LABELS[status.service]}
            {took}
          </span>
          {outbox && <span>{describeOutbox(outbox)}</span>}
          <span className="less">
            Requests this minute: {formatCount(status.used_this_minute)} of {formatCount(status.limit_per_minute)}
          </span>
        </>
      )}
      {hasEnded && (
        <span className="in-line state" role="alert">
          <i className="dot offline" aria-hidden="true" />
          {ERRORS.core_ended.title}. {error.message}
        </span>
      )}
      <SignInNote />
      <span className="spring" />
      <button type="button" className="status-link" title="Rate changes" onClick={onRates}>
        Rules checked {formatLongDate(rulesChecked)}
      </button>
    </footer>
  );
}

/** A sign-in that ends within a week: after that the password is needed. */
function SignInNote() {
  const { go } = useNavigation();
  const view = findActiveProfile(useProfiles().data?.profiles);
  if (!view?.sign_in_ends_soon || view.sign_in_ends === null) return null;
  return (
    <button type="button" className="status-link" onClick={() => go('settings', 'profiles')}>
      Sign-in ends {formatLongDate(view.sign_in_ends.slice(0, 10))}
    </button>
  );
}

/** A service that comes or goes is read out once; how fast it was is not. */
function useAnnounceService(status: Status | undefined): void {
  const { announce } = useToasts();
  const service = status?.service;
  const words =
    status && `${status.profile} ${service === 'ready' ? 'service is available' : SERVICE_LABELS[status.service]}`;
  const before = useRef<Status['service']>(undefined);
  useEffect(() => {
    const known = before.current;
    before.current = service ?? known;
    // A start is not announced: everyone waits for it.
    if (words && known && known !== service && known !== 'starting' && service !== 'starting') announce(`${words}.`);
  }, [service, words, announce]);
}
