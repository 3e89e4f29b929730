import { useState } from 'react';

import type { EventsSettings, EventWhat } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { ErrorBox } from '../../components/ErrorBox';
import { WordTag } from '../../components/Tag';
import { useToasts } from '../../operations/toasts';
import { useOperationQuery, useOperationMutation } from '../../operations/useOperation';
import type { OperationError } from '../../platform';
import { RECEIVER_LABELS, EVENT_KINDS } from './eventLabels';

const REFRESH: ('events_settings' | 'events_status')[] = ['events_settings', 'events_status'];

const busyReason = (busy: boolean) => busy && 'Working…';

/** How events are received, and which of them are told by the desktop. */
export function ReceiverDialog({ onClose }: { onClose(): void }) {
  const settings = useOperationQuery('events_settings');
  return (
    <Dialog title="Receiving events" onClose={onClose} wide>
      <div className="dialog-body">
        {settings.error && <ErrorBox error={settings.error} onAction={() => void settings.refetch()} />}
        {settings.data && <ReceiverSections settings={settings.data} />}
      </div>
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
          error={fieldError(saving.error, '/port')}
          onChange={setPort}
        />
        <Button
          disabledReason={
            busyReason(saving.isPending) || (port === String(settings.port) && 'The receiver already uses this port.')
          }
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
            disabledReason={busyReason(subscribing.isPending)}
            onClick={() => subscribing.mutate({}, { onSuccess: () => showToast('Now receiving events.') })}
          >
            {settings.subscribed ? 'Resubscribe' : 'Receive events'}
          </Button>
          {settings.subscribed && (
            <Button disabledReason={busyReason(ending.isPending)} onClick={() => ending.mutate({})}>
              Unsubscribe
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** What a provider asks for and what it gives: the secret is kept in the keychain and never shown again. */
function ProviderSetup({ settings }: { settings: EventsSettings }) {
  const [secret, setSecret] = useState('');
  const [name, setName] = useState(settings.header_name);
  const [value, setValue] = useState('');
  const keeping = useOperationMutation('events_secret', REFRESH);
  const { showToast } = useToasts();
  const keep = () =>
    keeping.mutate(
      { secret, header_name: name, header_value: value },
      {
        onSuccess: (kept) => {
          setSecret('');
          setValue('');
          showToast(kept.has_secret ? 'Secret saved in the keychain.' : 'Secret removed.');
        },
      },
    );
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
          value={secret}
          error={fieldError(keeping.error, '/secret')}
          onChange={setSecret}
        />
        <Field
          label="Header name"
          hint="If the webhook uses one"
          value={name}
          error={fieldError(keeping.error, '/header_name')}
          onChange={setName}
        />
        <Field
          label="Header value"
          type="password"
          autoComplete="off"
          value={value}
          error={fieldError(keeping.error, '/header_value')}
          onChange={setValue}
        />
      </div>
      <div className="buttons">
        <Button
          disabledReason={busyReason(keeping.isPending) || (secret === '' && 'Enter or paste the secret first.')}
          onClick={keep}
        >
          Save secret
        </Button>
        {settings.has_secret && (
          <Button
            onClick={() => keeping.mutate({ secret: '', header_name: '', header_value: '' })}
            disabledReason={busyReason(keeping.isPending)}
          >
            Remove secret
          </Button>
        )}
      </div>
    </section>
  );
}

function ListenerSettings({ settings }: { settings: EventsSettings }) {
  const [address, setAddress] = useState(settings.follow);
  const [token, setToken] = useState('');
  const following = useOperationMutation('events_follow', REFRESH);
  const follow = (to: string) =>
    following.mutate({ address: to, token }, { onSuccess: (kept) => (setToken(''), setAddress(kept.follow)) });
  return (
    <section className="stack" aria-label="Listener on a server">
      <h3>Listener on a server</h3>
      {following.error && <ErrorBox error={following.error} />}
      <div className="fit">
        <Field
          label="Listener address"
          placeholder="https://events.example.com"
          value={address}
          error={fieldError(following.error, '/address')}
          onChange={setAddress}
        />
        <Field
          label="Listener token"
          type="password"
          autoComplete="off"
          hint={settings.has_follow_token ? 'A token is saved' : 'Printed by bordereau listen'}
          value={token}
          error={fieldError(following.error, '/token')}
          onChange={setToken}
        />
      </div>
      <div className="buttons">
        <Button
          disabledReason={
            busyReason(following.isPending) || (address.trim() === '' && 'Enter the listener address first.')
          }
          onClick={() => follow(address)}
        >
          Connect
        </Button>
        {settings.follow !== '' && (
          <Button disabledReason={busyReason(following.isPending)} onClick={() => follow('')}>
            Disconnect
          </Button>
        )}
      </div>
    </section>
  );
}

function NotificationSettings({ settings }: { settings: EventsSettings }) {
  const saving = useOperationMutation('events_settings_save', REFRESH);
  const { showError } = useToasts();
  const set = (what: EventWhat, on: boolean) => {
    const others = settings.notices.filter((each) => each !== what);
    const notices = on ? [...others, what] : others;
    saving.mutate({ receiver: settings.receiver, port: settings.port, notices }, { onError: showError });
  };
  return (
    <section className="stack" aria-label="Desktop notifications">
      <h3>Desktop notifications</h3>
      <p className="quiet-text">Shown even when Bordereau is in the background.</p>
      <div className="fit">
        {EVENT_KINDS.map(({ what, name }) => (
          <Checkbox
            key={what}
            label={name}
            checked={settings.notices.includes(what)}
            onChange={(on) => set(what, on)}
          />
        ))}
      </div>
    </section>
  );
}

function fieldError(error: OperationError | null, pointer: string): string | undefined {
  return error?.boundary.details.find((detail) => detail.pointer === pointer)?.message;
}
