import { useState } from 'react';

import type { EventKind, EventsSettings } from '../../bindings/operations';
import { Button, Checkbox, Dialog, ErrorBox, Field, WordTag } from '../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../operations';
import { RECEIVER_LABELS, useEventKinds } from './eventLabels';
import { errorsByPointer, bindTexts } from '../../components/bindTexts';

const REFRESH: ('events_settings' | 'events_status')[] = ['events_settings', 'events_status'];

/** How events are received, and which of them are shown as desktop notifications. */
export function ReceiverDialog({ onClose }: { onClose(): void }) {
  const settings = useOperationQuery('events_settings');
  return (
    <Dialog title="Receiving events" onClose={onClose} wide error={settings.error} onRetry={settings.refetch}>
      {settings.data && <ReceiverSections settings={settings.data} />}
    </Dialog>
  );
}

function ReceiverSections({ settings }: { settings: EventsSettings }) {
  const state = RECEIVER_LABELS[settings.state];
  return (
    <div className="stack receiving">
      <p>
        <WordTag of={state} /> {settings.trouble}
      </p>
      <LocalReceiver settings={settings} />
      {!settings.one_click && <ProviderSetup settings={settings} />}
      <ListenerSettings settings={settings} />
      <NotificationSettings settings={settings} />
    </div>
  );
}

function LocalReceiver({ settings }: { settings: EventsSettings }) {
  const [port, setPort] = useState(String(settings.port));
  const saving = useOperationMutation('events_settings_save', REFRESH);
  const subscribing = useOperationMutation('events_subscribe', REFRESH);
  const ending = useOperationMutation('events_unsubscribe', REFRESH);
  const { showToast } = useToasts();
  const error = saving.error ?? subscribing.error ?? ending.error;
  const save = (receiver: boolean) =>
    saving.mutate(
      { receiver, port: Number.parseInt(port, 10) || 0, notices: settings.notices },
      { onSuccess: (saved) => setPort(String(saved.port)) },
    );
  return (
    <section className="stack" aria-label="On this computer">
      <h3>On this computer</h3>
      <p className="quiet-text">The receiver listens only on this computer and runs while Bordereau is open.</p>
      {error && <ErrorBox error={error} />}
      <Checkbox label="Receiver on" checked={settings.receiver} onChange={save} />
      <div className="in-line receiving-port">
        <Field
          label="Port"
          hint="0 picks a free port and keeps it"
          inputMode="numeric"
          value={port}
          error={errorsByPointer(saving.error)('/port')}
          onChange={setPort}
        />
        <Button
          busy={saving.isPending}
          disabledReason={port === String(settings.port) && 'The receiver already uses this port.'}
          onClick={() => save(settings.receiver)}
        >
          Use this port
        </Button>
      </div>
      {settings.address !== '' && (
        <p>
          Address <code className="copyable">{settings.address}</code>
        </p>
      )}
      {settings.one_click && (
        <div className="buttons">
          <Button
            look={settings.subscribed ? 'plain' : 'primary'}
            busy={subscribing.isPending}
            onClick={() => subscribing.mutate({}, { onSuccess: () => showToast('Now receiving events.') })}
          >
            {settings.subscribed ? 'Resubscribe' : 'Receive events'}
          </Button>
          {settings.subscribed && (
            <Button busy={ending.isPending} onClick={() => ending.mutate({})}>
              Unsubscribe
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** What to give a provider and what it returns: the secret is stored in the keychain and never shown again. */
function ProviderSetup({ settings }: { settings: EventsSettings }) {
  const [form, setForm] = useState({ secret: '', header_name: settings.header_name, header_value: '' });
  const keeping = useOperationMutation('events_secret', REFRESH);
  const { showToast } = useToasts();
  const text = bindTexts(form, (part) => setForm({ ...form, ...part }), errorsByPointer(keeping.error));
  const keep = () =>
    keeping.mutate(form, {
      onSuccess: (kept) => {
        setForm({ ...form, secret: '', header_value: '' });
        showToast(kept.has_secret ? 'Secret saved in the keychain.' : 'Secret removed.');
      },
    });
  return (
    <section className="stack" aria-label="At the provider">
      <h3>At the provider</h3>
      <ol className="stack numbered">
        <li>
          In the provider’s account, add a webhook. Its address is your server’s address followed by{' '}
          <code>/events</code>, and its events are the ones you want to receive. The secret is shown only once.
        </li>
        <li>
          On that server, run <code>bordereau listen --bind 127.0.0.1:8080</code> behind your web server with TLS, with
          the secret in <code>BORDEREAU_WEBHOOK_SECRET</code>. It prints the token for the computers that connect to it.
        </li>
        <li>Enter the server’s address and token below. Bordereau connects to it and continues where it left off.</li>
      </ol>
      <p className="quiet-text">
        If the provider reaches this computer through your own tunnel, give it the address above and enter the webhook’s
        secret here instead.
      </p>
      {keeping.error && <ErrorBox error={keeping.error} />}
      <div className="fit">
        <Field
          label="HMAC secret"
          type="password"
          autoComplete="off"
          hint={settings.has_secret ? 'A secret is saved. A new one replaces it.' : 'Saved in the keychain'}
          {...text('secret')}
        />
        <Field label="Header name" hint="If the webhook uses one" {...text('header_name')} />
        <Field label="Header value" type="password" autoComplete="off" {...text('header_value')} />
      </div>
      <div className="buttons">
        <Button
          busy={keeping.isPending}
          disabledReason={form.secret === '' && 'Enter or paste the secret first.'}
          onClick={keep}
        >
          Save secret
        </Button>
        {settings.has_secret && (
          <Button
            onClick={() => keeping.mutate({ secret: '', header_name: '', header_value: '' })}
            busy={keeping.isPending}
          >
            Remove secret
          </Button>
        )}
      </div>
    </section>
  );
}

function ListenerSettings({ settings }: { settings: EventsSettings }) {
  const [form, setForm] = useState({ address: settings.follow, token: '' });
  const following = useOperationMutation('events_follow', REFRESH);
  const text = bindTexts(form, (part) => setForm({ ...form, ...part }), errorsByPointer(following.error));
  const follow = (address: string) =>
    following.mutate({ ...form, address }, { onSuccess: (kept) => setForm({ address: kept.follow, token: '' }) });
  return (
    <section className="stack" aria-label="Listener on a server">
      <h3>Listener on a server</h3>
      {following.error && <ErrorBox error={following.error} />}
      <div className="fit">
        <Field label="Listener address" placeholder="https://events.example.com" {...text('address')} />
        <Field
          label="Listener token"
          type="password"
          autoComplete="off"
          hint={settings.has_follow_token ? 'A token is saved' : 'Printed by bordereau listen'}
          {...text('token')}
        />
      </div>
      <div className="buttons">
        <Button
          busy={following.isPending}
          disabledReason={form.address.trim() === '' && 'Enter the listener address first.'}
          onClick={() => follow(form.address)}
        >
          Connect
        </Button>
        {settings.follow !== '' && (
          <Button busy={following.isPending} onClick={() => follow('')}>
            Disconnect
          </Button>
        )}
      </div>
    </section>
  );
}

function NotificationSettings({ settings }: { settings: EventsSettings }) {
  const kinds = useEventKinds();
  const saving = useOperationMutation('events_settings_save', REFRESH);
  const { showError } = useToasts();
  const set = (what: EventKind, on: boolean) => {
    const others = settings.notices.filter((each) => each !== what);
    const notices = on ? [...others, what] : others;
    saving.mutate({ receiver: settings.receiver, port: settings.port, notices }, { onError: showError });
  };
  return (
    <section className="stack" aria-label="Desktop notifications">
      <h3>Desktop notifications</h3>
      <p className="quiet-text">Shown even when Bordereau is in the background.</p>
      <div className="fit">
        {kinds.map(({ kind, title }) => (
          <Checkbox
            key={kind}
            label={title}
            checked={settings.notices.includes(kind)}
            onChange={(on) => set(kind, on)}
          />
        ))}
      </div>
    </section>
  );
}
