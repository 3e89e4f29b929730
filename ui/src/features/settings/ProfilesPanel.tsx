import { useState } from 'react';

import type { Profile, ProfileView } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Problem } from '../../components/ErrorBox';
import { Tag } from '../../components/Tag';
import { ENVIRONMENT_MEANING, ENVIRONMENT_WORDS } from '../../components/labels';
import { useNotices } from '../../operations/toasts';
import { useDo, useProfiles } from '../../operations/useOperation';
import { ConnectionTest } from './ConnectionTest';
import { Credentials } from './ProfileCredentials';
import { ProfileEditor } from './ProfileEditor';

function newProfile(): Profile {
  return {
    id: '',
    name: '',
    environment: 'sandbox',
    base_url: 'https://',
    client_type: 'enterprise',
    sign_in: 'api_key',
    username: '',
    ca_file: '',
    token_path: '',
    calculator_path: '',
    import_path: '',
    results_path: '',
    search_path: '',
    status_path: '',
    documents_path: '',
    forms_path: '',
    requests_per_minute: 0,
    lines_file: '',
    kentucky_file: '',
  };
}

/** The profiles at the left, the chosen one at the right. */
export function Profiles() {
  const profiles = useProfiles();
  const [chosen, setChosen] = useState<string | null>(null);
  const views = profiles.data?.profiles ?? [];
  if (profiles.error) return <Problem error={profiles.error} onRemedy={() => void profiles.refetch()} />;
  const view =
    views.find((each) => each.profile.id === chosen) ?? (chosen === '' ? undefined : views.find((each) => each.active));
  return (
    <div className="profiles">
      <div className="profile-list">
        <ul aria-label="Profiles">
          {views.map((each) => (
            <li key={each.profile.id}>
              <ProfileLink view={each} on={each === view} onChoose={() => setChosen(each.profile.id)} />
            </li>
          ))}
        </ul>
        <Button onClick={() => setChosen('')}>Add profile</Button>
      </div>
      {view ? (
        <ProfileDetail key={view.profile.id} view={view} onGone={() => setChosen(null)} />
      ) : (
        chosen === '' && (
          <ProfileEditor key="new" profile={newProfile()} onSaved={(saved) => setChosen(saved.profile.id)} />
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
      <span className="word">{ENVIRONMENT_WORDS[profile.environment]}</span>
      <strong>{profile.name}</strong>
      {active && (
        <Tag tone="ok" icon="check">
          in use
        </Tag>
      )}
    </button>
  );
}

function ProfileDetail({ view, onGone }: { view: ProfileView; onGone(): void }) {
  const { profile, active, built_in: builtIn, missing } = view;
  const select = useDo('profile_select', ['profile_list', 'status', 'reference_data']);
  const { tell, fail } = useNotices();
  const use = () =>
    select.mutate({ id: profile.id }, { onSuccess: () => tell(`Now with ${profile.name}.`), onError: fail });
  return (
    <div className="profile-detail">
      <section className="card section profile-head" data-environment={profile.environment} aria-label={profile.name}>
        <span className="band">{ENVIRONMENT_WORDS[profile.environment]}</span>
        <div className="profile-title">
          <div>
            <h2>{profile.name}</h2>
            <p className="quiet-text">{ENVIRONMENT_MEANING[profile.environment]}</p>
          </div>
          {active ? (
            <Tag tone="ok" icon="check">
              in use
            </Tag>
          ) : (
            <Button onClick={use}>Use this profile</Button>
          )}
        </div>
        {missing.length > 0 && (
          <p>
            <Tag tone="warn" icon="warning">
              missing
            </Tag>{' '}
            {missing.join(', ')}
          </p>
        )}
        {builtIn && <p>Built in: the practice service runs on this computer. There is nothing to fill in.</p>}
      </section>
      {!builtIn && <Credentials view={view} />}
      <ConnectionTest key={profile.id} profile={profile} />
      {!builtIn && <ProfileEditor profile={profile} onSaved={() => undefined} onRemoved={onGone} />}
    </div>
  );
}
