import { useState } from 'react';

import type { EventsSettings, EventWhat } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { ErrorBox } from '../../components/ErrorBox';
import { Tag } from '../../components/Tag';
import { useToasts } from '../../operations/toasts';
import { useOperationQuery, useOperationMutation } from '../../operations/useOperation';
import type { OperationError } from '../../platform';
import { RECEIVER_LABELS, EVENT_KINDS } from './eventLabels';

const NOTHING = {};
const REFRESH: ('events_settings' | 'events_status')[] = ['events_settings', 'events_status'];

const busyReason = (busy: boolean) => busy && 'It is under way.';

/** How events are received, and which of them are told by the desktop. */
export function ReceiverDialog({ onClose }: { onClose(): void }) {
  const settings = useOperationQuery('events_settings', NOTHING);
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
    <div className="receiving">
      <p>
        <Tag tone={state.tone} icon={state.icon}>
          {state.word}
        </Tag>{' '}
        {settings.trouble}
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
    <section aria-label="On this computer">
      <h3>On this computer</h3>
      <p className="quiet-text">The receiver listens on this computer only. It runs while the window is open.</p>
      {error && <ErrorBox error={error} />}
      <Checkbox label="Receiver on" checked={settings.receiver} onChange={save} />
      <div className="receiving-port">
        <Field
          label="Port"
          hint="0 takes a free one and keeps it"
          inputMode="numeric"
          value={port}
          error={fieldError(saving.error, '/port')}
          onChange={setPort}
        />
        <Button
          disabledReason={
            busyReason(saving.isPending) || (port === String(settings.port) && 'This is its port already.')
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
            onClick={() =>
              subscribing.mutate(NOTHING, { onSuccess: () => showToast('Events are received from now on.') })
            }
          >
            {settings.subscribed ? 'Subscribe anew' : 'Receive events'}
          </Button>
          {settings.subscribed && (
            <Button disabledReason={busyReason(ending.isPending)} onClick={() => ending.mutate(NOTHING)}>
              End the subscription
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
          showToast(kept.has_secret ? 'The secret is in the keychain.' : 'The secret was removed.');
        },
      },
    );
  return (
    <section aria-label="At the provider">
      <h3>At the provider</h3>
      <ol className="receiving-steps">
        <li>
          In the provider’s account add a webhook: its address is that of a server of yours with <code>/events</code> at
          its end, its events are those you want to hear of. The secret is shown once.
        </li>
        <li>
          On that server run <code>bordereau listen --bind 127.0.0.1:8080</code> behind your web server with TLS, with
          the secret in <code>BORDEREAU_WEBHOOK_SECRET</code>. It shows the token for the desks that follow it.
        </li>
        <li>Enter the server’s address and token below: this desk follows it and goes on where it was.</li>
      </ol>
      <p className="quiet-text">
        If the provider reaches this computer through a tunnel of your own, give it the address above and enter the
        webhook’s secret here instead.
      </p>
      {keeping.error && <ErrorBox error={keeping.error} />}
      <div className="receiving-grid">
        <Field
          label="HMAC secret"
          type="password"
          autoComplete="off"
          hint={settings.has_secret ? 'One is stored; a new one replaces it' : 'Goes to the keychain'}
          value={secret}
          error={fieldError(keeping.error, '/secret')}
          onChange={setSecret}
        />
        <Field
          label="Header name"
          hint="Where the webhook has one"
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
          disabledReason={busyReason(keeping.isPending) || (secret === '' && 'Type or paste the secret first.')}
          onClick={keep}
        >
          Keep the secret
        </Button>
        {settings.has_secret && (
          <Button
            onClick={() => keeping.mutate({ secret: '', header_name: '', header_value: '' })}
            disabledReason={busyReason(keeping.isPending)}
          >
            Remove the secret
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
    <section aria-label="A listener on a server">
      <h3>A listener on a server</h3>
      {following.error && <ErrorBox error={following.error} />}
      <div className="receiving-grid">
        <Field
          label="Address of the listener"
          placeholder="https://events.example.com"
          value={address}
          error={fieldError(following.error, '/address')}
          onChange={setAddress}
        />
        <Field
          label="Its token"
          type="password"
          autoComplete="off"
          hint={settings.has_follow_token ? 'One is stored' : 'Shown by bordereau listen'}
          value={token}
          error={fieldError(following.error, '/token')}
          onChange={setToken}
        />
      </div>
      <div className="buttons">
        <Button
          disabledReason={
            busyReason(following.isPending) || (address.trim() === '' && 'Type the address of the listener first.')
          }
          onClick={() => follow(address)}
        >
          Follow it
        </Button>
        {settings.follow !== '' && (
          <Button disabledReason={busyReason(following.isPending)} onClick={() => follow('')}>
            No longer follow it
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
    <section aria-label="Notices of the desktop">
      <h3>Notices of the desktop</h3>
      <p className="quiet-text">Told also when the window is behind others.</p>
      <div className="receiving-kinds">
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
