import { useState } from 'react';

import type { ProfileView } from '../../bindings/operations';
import { Button, ErrorBox, Field, Form, Tag } from '../../components';
import { useOperationAction, useOperationMutation, useSecretsStatus, useToasts } from '../../operations';

const CHANGED_QUERIES = ['profile_list', 'status_show'] as const;

/** Key and sign-in of a profile: they go in, and never come out. */
export function ProfileCredentials({ view }: { view: ProfileView }) {
  const { sign_in: signIn } = view.profile;
  return (
    <section className="card card-body" aria-label="Key and sign-in">
      <h2>Key and sign-in</h2>
      {signIn !== 'user' && <ApiKey view={view} />}
      {signIn !== 'api_key' && <UserSignIn view={view} />}
    </section>
  );
}

function useStorageNote(): string {
  return useSecretsStatus().data?.kind === 'memory'
    ? 'kept in memory until you close Bordereau'
    : 'saved in the keychain';
}

function ApiKey({ view }: { view: ProfileView }) {
  const { id } = view.profile;
  const [key, setKey] = useState('');
  const setting = useOperationMutation('profile_set_key', [...CHANGED_QUERIES]);
  const { showToast } = useToasts();
  const kept = useStorageNote();
  const save = () => {
    if (key.trim() === '') return;
    setting.mutate(
      { id, key: key.trim() },
      {
        onSuccess: () => {
          setKey('');
          showToast(`API key ${kept}.`);
        },
      },
    );
  };
  return (
    <Form onSubmit={save}>
      {setting.error && <ErrorBox error={setting.error} />}
      <div className="buttons secret">
        <Field
          label="API key"
          type="password"
          placeholder={view.has_key ? '••••••••••••' : 'Paste the key'}
          value={key}
          onChange={setKey}
          hint="The service shows it once, when it’s created. A new key deactivates the old one right away."
        />
        <Button type="submit" disabledReason={key.trim() === '' && 'Paste the key first.'}>
          {view.has_key ? 'Replace' : 'Save'}
        </Button>
        {view.has_key && (
          <Button onClick={() => setting.mutate({ id, key: '' }, { onSuccess: () => showToast('API key removed.') })}>
            Remove key
          </Button>
        )}
      </div>
      {view.has_key && (
        <Tag tone="ok" icon>
          {kept}
        </Tag>
      )}
    </Form>
  );
}

function UserSignIn({ view }: { view: ProfileView }) {
  const { id, username } = view.profile;
  const [name, setName] = useState(username);
  const [password, setPassword] = useState('');
  const signingIn = useOperationMutation('profile_sign_in', [...CHANGED_QUERIES]);
  const signingOut = useOperationAction('profile_sign_out', [...CHANGED_QUERIES]);
  const { showToast } = useToasts();
  const submit = () =>
    signingIn.mutate(
      { id, username: name.trim(), password },
      { onSuccess: () => showToast('Signed in.'), onSettled: () => setPassword('') },
    );
  const out = () => signingOut.mutate({ id }, { onSuccess: () => showToast('Signed out.') });
  if (view.signed_in) {
    return (
      <div className="buttons secret">
        <Tag tone="ok" icon>
          signed in as {username || name}
        </Tag>
        <Button onClick={out}>Sign out</Button>
      </div>
    );
  }
  return (
    <Form onSubmit={submit}>
      {signingIn.error && <ErrorBox error={signingIn.error} />}
      <div className="buttons secret">
        <Field label="Username" value={name} onChange={setName} autoComplete="username" />
        <Field
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          hint="Used once. Only the resulting sign-in is saved."
          autoComplete="current-password"
        />
        <Button
          type="submit"
          disabledReason={(name.trim() === '' || password === '') && 'Enter the username and password first.'}
        >
          Sign in
        </Button>
      </div>
    </Form>
  );
}
