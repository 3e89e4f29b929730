import { Fragment, useEffect, useRef } from 'react';

import { useActionList } from '../../actions/ActionRegistry';
import type { Environment } from '../../bindings/operations';
import { ENVIRONMENT_DESCRIPTIONS, ENVIRONMENT_LABELS, ShortcutKeys } from '../../components';
import { useEventStatus, useOperationQuery, useOutboxStatus } from '../../operations';
import { ariaShortcut, formatCount } from '../../values';
import { VIEW_NAMES, type ViewName, VIEWS } from '../../views';
import { useNavigation } from '../../workbench/navigation';

/** A day ends without any other news. */
const COUNTED_EVERY_MS = 300_000;

interface Props {
  environment: Environment;
  profile: string;
  /** What waits is counted once the first view is there. */
  counts: boolean;
  onSwitch(): void;
}

/** The views, and the environment that cannot be missed. */
export function Sidebar({ environment, profile, counts: areCounted, onSwitch }: Props) {
  const today = useOperationQuery('today_show', {}, { enabled: areCounted, refetchEvery: COUNTED_EVERY_MS }).data;
  const outbox = useOutboxStatus().data;
  const unread = useEventStatus().data?.unread ?? 0;
  const word = ENVIRONMENT_LABELS[environment];
  const who = environment === 'practice' ? ENVIRONMENT_DESCRIPTIONS.practice : profile;
  const shown = VIEW_NAMES.filter(
    (view) => !VIEWS[view].parent && (!VIEWS[view].isPracticeOnly || environment === 'practice'),
  );
  const counts: Partial<Record<ViewName, ViewCount[]>> = {
    batches: [
      { count: outbox?.attention ?? 0, counted: 'to correct or decide' },
      { count: outbox?.open ?? 0, counted: 'being sent', quiet: true },
    ],
    events: [{ count: unread, counted: 'unread' }],
    saved: [{ count: today?.quotes_total ?? 0, counted: 'in the last 7 days', quiet: true }],
    documents: [
      { count: today?.missing_required ?? 0, counted: 'transactions with documents missing' },
      { count: today?.refused_uploads ?? 0, counted: 'documents refused' },
      { count: today?.uploads ?? 0, counted: 'being uploaded', quiet: true },
    ],
    due: [{ count: today ? today.overdue + today.soon : 0, counted: 'overdue or due this week' }],
  };
  const allCounts = Object.values(counts)
    .flat()
    .reduce((sum, each) => sum + each.count, 0);
  return (
    <nav className="side" aria-label="Views" data-part>
      <div className="in-line brand">
        <i aria-hidden="true" />
        <span>Bordereau</span>
      </div>
      {/* In a row they scroll sideways, which the wheel of a mouse does not do. */}
      <div className="views" onWheel={(event) => event.currentTarget.scrollBy({ left: event.deltaY })}>
        {shown.map((view) => (
          <Fragment key={view}>
            {view === 'settings' && <span className="spring" />}
            <ViewLink view={view} allCounts={allCounts} counts={counts[view] ?? []} />
          </Fragment>
        ))}
      </div>
      <button
        type="button"
        className="env"
        // Narrow windows have no room for all of its words.
        aria-label={`${word}: ${who}. Switch profile`}
        aria-keyshortcuts={ariaShortcut('Mod+Shift+P')}
        title={who}
        onClick={onSwitch}
      >
        <span className="band">{word}</span>
        <span className="who">{who}</span>
        <span className="switch">
          Switch profile <ShortcutKeys keys="Mod+Shift+P" />
        </span>
      </button>
    </nav>
  );
}

interface ViewCount {
  count: number;
  counted: string;
  /** Nothing has to be done about it. */
  quiet?: boolean;
}

interface LinkProps {
  view: ViewName;
  /** The sum of all counts: where they change, the links move. */
  allCounts: number;
  counts: ViewCount[];
}

function ViewLink({ view, allCounts, counts }: LinkProps) {
  const navigation = useNavigation();
  const link = useRef<HTMLButtonElement>(null);
  const on = navigation.view === view || VIEWS[navigation.view].parent === view;
  // A narrow window has the views in a row: the one on screen is in sight there.
  useEffect(() => {
    if (on) link.current?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
  }, [on, allCounts]);
  const action = useActionList().find((each) => each.id === `view.${view}`);
  if (!action) return null;
  const shown = counts.filter(({ count }) => count > 0);
  return (
    <button
      type="button"
      className="split view-link"
      ref={link}
      aria-current={on ? 'page' : undefined}
      aria-keyshortcuts={action.keys ? ariaShortcut(action.keys) : undefined}
      onClick={action.run}
    >
      {action.title}
      {shown.length > 0 && (
        <span className="in-line">
          {shown.map(({ count, counted, quiet }) => (
            <span key={counted} className={`badge ${quiet ? 'quiet' : ''}`} title={`${formatCount(count)} ${counted}`}>
              {formatCount(count)}
              <span className="only-read"> {counted} </span>
            </span>
          ))}
        </span>
      )}
      {shown.length === 0 && action.keys && <ShortcutKeys keys={action.keys} />}
    </button>
  );
}
