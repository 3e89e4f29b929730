import { useEffect, useRef } from 'react';

import { useActionList } from '../../actions/ActionRegistry';
import type { Environment } from '../../bindings/operations';
import { Keys } from '../../components/Button';
import { ENVIRONMENT_MEANING, ENVIRONMENT_WORDS } from '../../components/labels';
import { useEventsStatus } from '../../operations/useEventUpdates';
import { useOutbox } from '../../operations/useOutboxStatus';
import { ariaKeys } from '../../values/shortcuts';
import { type View, useNavigation } from '../../workbench/navigation';

interface Props {
  environment: Environment;
  profile: string;
  onSwitch(): void;
}

/** The views, and the environment that cannot be missed. */
export function Side({ environment, profile, onSwitch }: Props) {
  const attention = useOutbox().data?.attention ?? 0;
  const unread = useEventsStatus().data?.unread ?? 0;
  const word = ENVIRONMENT_WORDS[environment];
  const who = environment === 'practice' ? ENVIRONMENT_MEANING.practice : profile;
  return (
    <nav className="side" aria-label="Views" data-part>
      <div className="brand">
        <i aria-hidden="true" />
        <span>Bordereau</span>
      </div>
      <div className="views">
        <ViewLink view="quote" />
        <ViewLink view="compare" />
        <ViewLink view="saved" />
        <ViewLink view="batches" count={attention} />
        <ViewLink view="transactions" />
        <ViewLink view="documents" />
        <ViewLink view="diligent" />
        <ViewLink view="due" />
        <ViewLink view="events" count={unread} counted="unread" />
        {environment === 'practice' && <ViewLink view="practice" />}
        <span className="spring" />
        <ViewLink view="settings" />
      </div>
      <button
        type="button"
        className="env"
        // Narrow windows have no room for all of its words.
        aria-label={`${word}: ${who}. Switch profile`}
        aria-keyshortcuts={ariaKeys('Mod+Shift+P')}
        title={who}
        onClick={onSwitch}
      >
        <span className="band">{word}</span>
        <span className="who">{who}</span>
        <span className="switch">
          Switch profile <Keys of="Mod+Shift+P" />
        </span>
      </button>
    </nav>
  );
}

function ViewLink({ view, count = 0, counted = 'to be corrected' }: { view: View; count?: number; counted?: string }) {
  const navigation = useNavigation();
  const link = useRef<HTMLButtonElement>(null);
  // The webhooks are a part of the events, one step further.
  const on = navigation.view === view || (view === 'events' && navigation.view === 'webhooks');
  // A narrow window has the views in a row: the one on screen is in sight there.
  useEffect(() => {
    if (on) link.current?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
  }, [on]);
  const action = useActionList().find((each) => each.id === `view.${view}`);
  if (!action) return null;
  return (
    <button
      type="button"
      className="view-link"
      ref={link}
      aria-current={on ? 'page' : undefined}
      aria-keyshortcuts={action.keys ? ariaKeys(action.keys) : undefined}
      onClick={action.run}
    >
      {action.title}
      {count > 0 && (
        <span className="badge">
          {count}
          <span className="only-read"> {counted}</span>
        </span>
      )}
      {count === 0 && action.keys && <Keys of={action.keys} />}
    </button>
  );
}
