import { useState } from 'react';

import type { Profile, ProfileView } from '../../bindings/operations';
import { Button, ENVIRONMENT_DESCRIPTIONS, ENVIRONMENT_LABELS, QueryError, Tag } from '../../components';
import { useOperationAction, useProfiles, useToasts } from '../../operations';
import { formatWhen } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { ConnectionTest } from './ConnectionTest';
import { ProfileCredentials } from './ProfileCredentials';
import { blankProfile } from './blankProfile';
import { ProfileEditor, useUnsavedProfile } from './ProfileEditor';

/** The profiles at the left, the chosen one at the right. */
export function ProfilesPanel() {
  const profiles = useProfiles();
  const [added, setAdded] = useUnsavedProfile('');
  // One that was being added is still on screen.
  const [chosen, setChosen] = useState<string | null>(added ? '' : null);
  const [opened, setOpened] = useState<Profile | null>(null);
  const opening = useOperationAction('profile_open');
  const choose = (id: string | null) => {
    setOpened(null);
    setChosen(id);
  };
  const openFile = () =>
    opening.mutate(
      { handle: '' },
      {
        onSuccess: ({ profile }) => {
          if (profile === null) return;
          setAdded(null);
          setOpened(profile);
          setChosen('');
        },
      },
    );
  const views = profiles.data?.profiles ?? [];
  if (profiles.error) return <QueryError of={profiles} />;
  const view =
    views.find((each) => each.profile.id === chosen) ?? (chosen === '' ? undefined : views.find((each) => each.active));
  return (
    <div className="profiles">
      <div className="stack profile-list">
        <ul className="stack" aria-label="Profiles">
          {views.map((each) => (
            <li key={each.profile.id}>
              <ProfileLink view={each} on={each === view} onChoose={() => choose(each.profile.id)} />
            </li>
          ))}
        </ul>
        <Button onClick={() => choose('')}>Add profile</Button>
        <Button onClick={openFile}>Open profile file</Button>
      </div>
      {view ? (
        <ProfileDetail key={view.profile.id} view={view} onGone={() => choose(null)} />
      ) : (
        chosen === '' && (
          <ProfileEditor
            key={opened ? `file ${opened.name}` : 'new'}
            profile={opened ?? blankProfile()}
            onSaved={(saved) => choose(saved.profile.id)}
          />
        )
      )}
    </div>
  );
}

function ProfileLink({ view, on, onChoose }: { view: ProfileView; on: boolean; onChoose(): void }) {
  const { profile, active } = view;
  return (
    <button
      type="button"
      className="profile-link"
      data-environment={profile.environment}
      aria-current={on ? 'true' : undefined}
      onClick={onChoose}
    >
      <span className="word">{ENVIRONMENT_LABELS[profile.environment]}</span>
      <strong>{profile.name}</strong>
      {profile.owner && <Tag tone="neutral">only you</Tag>}
      {active && (
        <Tag tone="ok" icon>
          in use
        </Tag>
      )}
    </button>
  );
}

/** A sign-in lives a month; then the password is asked for again. */
function SignInWarning({ end }: { end: string }) {
  const { reference } = useWorkbench();
  return (
    <p role="status">
      <Tag tone="warn" icon="warning">
        sign-in
      </Tag>{' '}
      The stored sign-in ends {formatWhen(end, reference.today)}. Sign in again before then, so that nothing waits for
      your password.
    </p>
  );
}

function ProfileDetail({ view, onGone }: { view: ProfileView; onGone(): void }) {
  const { profile, active, built_in: builtIn, missing } = view;
  const select = useOperationAction('profile_select', 'everything');
  const { showToast } = useToasts();
  const use = () => select.mutate({ id: profile.id }, { onSuccess: () => showToast(`Switched to ${profile.name}.`) });
  return (
    <div className="stack">
      <section className="card card-body profile-head" data-environment={profile.environment} aria-label={profile.name}>
        <span className="band">{ENVIRONMENT_LABELS[profile.environment]}</span>
        <div className="split">
          <div>
            <h2>{profile.name}</h2>
            <p className="quiet-text">
              {ENVIRONMENT_DESCRIPTIONS[profile.environment]}
              {profile.owner && '. Only you see and use this profile'}
            </p>
          </div>
          {active ? (
            <Tag tone="ok" icon>
              in use
            </Tag>
          ) : (
            <Button onClick={use}>Use this profile</Button>
          )}
        </div>
        {missing.length > 0 && (
          <p>
            <Tag tone="warn" icon>
              missing
            </Tag>{' '}
            {missing.join(', ')}
          </p>
        )}
        {view.sign_in_ends_soon && view.sign_in_ends !== null && <SignInWarning end={view.sign_in_ends} />}
        {builtIn && <p>Built in. The practice service runs on this computer, so there’s nothing to set up.</p>}
      </section>
      {!builtIn && <ProfileCredentials view={view} />}
      <ConnectionTest key={profile.id} profile={profile} />
      {!builtIn && <ProfileEditor profile={profile} onSaved={() => undefined} onRemoved={onGone} />}
    </div>
  );
}
