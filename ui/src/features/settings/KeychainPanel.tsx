import type { SecretsKind } from '../../bindings/operations';
import { Button, type IconName, QueryError, Tag, type TagTone } from '../../components';
import { useOperationAction, useSecretsStatus } from '../../operations';

const KEYCHAIN_LABELS: Record<
  SecretsKind,
  { title: string; tag: string; tone: TagTone; icon: IconName; text: string }
> = {
  keychain: {
    title: 'Keys are saved in the system keychain',
    tag: 'keychain',
    tone: 'ok',
    icon: 'check',
    text: 'API keys and sign-ins are never written to a file, log, or URL, and are never shown again.',
  },
  memory: {
    title: 'Keys are kept in memory only',
    tag: 'memory only',
    tone: 'warn',
    icon: 'clock',
    text: 'You’ll enter them again when you next open Bordereau: they’re forgotten when it closes.',
  },
  unavailable: {
    title: 'No keychain found',
    tag: 'unavailable',
    tone: 'error',
    icon: 'error',
    text: 'The Practice profile and estimates work without one. Other profiles need a place to save their keys.',
  },
};

export function KeychainPanel() {
  const secrets = useSecretsStatus();
  const memory = useOperationAction('secrets_use_memory', ['secrets_status', 'profile_list', 'status_show']);
  if (secrets.error) return <QueryError of={secrets} />;
  if (!secrets.data) return null;
  const words = KEYCHAIN_LABELS[secrets.data.kind];
  return (
    <section className="card card-body" aria-label="Keychain">
      <h2 className="buttons">
        {words.title}
        <Tag tone={words.tone} icon={words.icon}>
          {words.tag}
        </Tag>
      </h2>
      <p>{words.text}</p>
      {secrets.data.message && secrets.data.kind !== 'memory' && <p className="told">{secrets.data.message}</p>}
      <div className="buttons">
        {secrets.data.kind === 'unavailable' && (
          <Button look="primary" onClick={() => memory.mutate({})}>
            Keep in memory only
          </Button>
        )}
        <Button onClick={() => void secrets.refetch()}>Check again</Button>
      </div>
    </section>
  );
}
