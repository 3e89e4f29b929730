import { type FormEvent, useState } from 'react';

import type { ProfileView } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Problem } from '../../components/ErrorBox';
import { Tag } from '../../components/Tag';
import { useNotices } from '../../operations/toasts';
import { useDo, useSecrets } from '../../operations/useOperation';
import type { Remedy } from '../../errors/errorTable';
import { useNavigation } from '../../workbench/navigation';

const AFTER = ['profile_list', 'status'] as const;

/** Key and sign-in of a profile: they go in, and never come out. */
export function Credentials({ view }: { view: ProfileView }) {
  const { sign_in: signIn } = view.profile;
  return (
    <section className="card section" aria-label="Key and sign-in">
      <h2>Key and sign-in</h2>
      {signIn !== 'user' && <ApiKey view={view} />}
      {signIn !== 'api_key' && <UserSignIn view={view} />}
    </section>
  );
}

function useKept(): string {
  return useSecrets().data?.kind === 'memory' ? 'kept in memory for this run' : 'stored in the keychain';
}

function useRemedy(): (remedy: Remedy) => void {
  const { go } = useNavigation();
  return (remedy) => remedy === 'keychain' && go('settings', 'keychain');
}

function ApiKey({ view }: { view: ProfileView }) {
  const { id } = view.profile;
  const [key, setKey] = useState('');
  const setting = useDo('profile_set_key', [...AFTER]);
  const { tell } = useNotices();
  const kept = useKept();
  const remedy = useRemedy();
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() === '') return;
    setting.mutate(
      { id, key: key.trim() },
      {
        onSuccess: () => {
          setKey('');
          tell(`API key ${kept}.`);
        },
      },
    );
  };
  return (
    <form onSubmit={save}>
      {setting.error && <Problem error={setting.error} onRemedy={remedy} />}
      <div className="secret">
        <Field
          label="API key"
          type="password"
          placeholder={view.has_key ? '••••••••••••' : 'Paste the key'}
          value={key}
          onChange={setKey}
          hint="Shown once by the service when it is made. A new key makes the old one inactive at once."
        />
        <Button type="submit" off={key.trim() === '' && 'Paste the key first.'}>
          {view.has_key ? 'Replace' : 'Store'}
        </Button>
        {view.has_key && (
          <Button onClick={() => setting.mutate({ id, key: '' }, { onSuccess: () => tell('API key removed.') })}>
            Remove key
          </Button>
        )}
      </div>
      {view.has_key && (
        <Tag tone="ok" icon="check">
          {kept}
        </Tag>
      )}
    </form>
  );
}

function UserSignIn({ view }: { view: ProfileView }) {
  const { id, username } = view.profile;
  const [name, setName] = useState(username);
  const [password, setPassword] = useState('');
  const signingIn = useDo('profile_sign_in', [...AFTER]);
  const signingOut = useDo('profile_sign_out', [...AFTER]);
  const { tell, fail } = useNotices();
  const remedy = useRemedy();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signingIn.mutate(
      { id, username: name.trim(), password },
      { onSuccess: () => tell('Signed in.'), onSettled: () => setPassword('') },
    );
  };
  const out = () => signingOut.mutate({ id }, { onSuccess: () => tell('Signed out.'), onError: fail });
  if (view.signed_in) {
    return (
      <div className="secret">
        <Tag tone="ok" icon="check">
          signed in as {username || name}
        </Tag>
        <Button onClick={out}>Sign out</Button>
      </div>
    );
  }
  return (
    <form onSubmit={submit}>
      {signingIn.error && <Problem error={signingIn.error} onRemedy={remedy} />}
      <div className="secret">
        <Field label="User name" value={name} onChange={setName} autoComplete="username" />
        <Field
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          hint="Used once: only the sign-in it gives is kept."
          autoComplete="current-password"
        />
        <Button
          type="submit"
          off={(name.trim() === '' || password === '') && 'Type the user name and the password first.'}
        >
          Sign in
        </Button>
      </div>
    </form>
  );
}
