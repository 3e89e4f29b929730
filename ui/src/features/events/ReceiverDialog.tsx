import { useState } from 'react';

import type { EventsSettings, EventWhat } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Check } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Problem } from '../../components/ErrorBox';
import { Tag } from '../../components/Tag';
import { useNotices } from '../../operations/toasts';
import { useAsk, useDo } from '../../operations/useOperation';
import type { OperationError } from '../../platform';
import { RECEIVERS, WHATS } from './eventLabels';

const NOTHING = {};
const REFRESH: ('events_settings' | 'events_status')[] = ['events_settings', 'events_status'];

const wait = (busy: boolean) => busy && 'It is under way.';

/** How events are received, and which of them are told by the desktop. */
export function ReceivingDialog({ onClose }: { onClose(): void }) {
  const settings = useAsk('events_settings', NOTHING);
  return (
    <Dialog title="Receiving events" onClose={onClose} wide>
      <div className="dialog-body">
        {settings.error && <Problem error={settings.error} onRemedy={() => void settings.refetch()} />}
        {settings.data && <Receiving settings={settings.data} />}
      </div>
    </Dialog>
  );
}

function Receiving({ settings }: { settings: EventsSettings }) {
  const state = RECEIVERS[settings.state];
  return (
    <div className="receiving">
      <p>
        <Tag tone={state.tone} icon={state.icon}>
          {state.word}
        </Tag>{' '}
        {settings.trouble}
      </p>
      <Here settings={settings} />
      {!settings.one_click && <AtProvider settings={settings} />}
      <Follow settings={settings} />
      <Told settings={settings} />
    </div>
  );
}

function Here({ settings }: { settings: EventsSettings }) {
  const [port, setPort] = useState(String(settings.port));
  const saving = useDo('events_settings_save', REFRESH);
  const subscribing = useDo('events_subscribe', REFRESH);
  const ending = useDo('events_unsubscribe', REFRESH);
  const { tell } = useNotices();
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
      {error && <Problem error={error} />}
      <Check label="Receiver on" checked={settings.receiver} onChange={save} />
      <div className="receiving-port">
        <Field
          label="Port"
          hint="0 takes a free one and keeps it"
          inputMode="numeric"
          value={port}
          error={problemAt(saving.error, '/port')}
          onChange={setPort}
        />
        <Button
          off={wait(saving.isPending) || (port === String(settings.port) && 'This is its port already.')}
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
            off={wait(subscribing.isPending)}
            onClick={() => subscribing.mutate(NOTHING, { onSuccess: () => tell('Events are received from now on.') })}
          >
            {settings.subscribed ? 'Subscribe anew' : 'Receive events'}
          </Button>
          {settings.subscribed && (
            <Button off={wait(ending.isPending)} onClick={() => ending.mutate(NOTHING)}>
              End the subscription
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** What a provider asks for and what it gives: the secret is kept in the keychain and never shown again. */
function AtProvider({ settings }: { settings: EventsSettings }) {
  const [secret, setSecret] = useState('');
  const [name, setName] = useState(settings.header_name);
  const [value, setValue] = useState('');
  const keeping = useDo('events_secret', REFRESH);
  const { tell } = useNotices();
  const keep = () =>
    keeping.mutate(
      { secret, header_name: name, header_value: value },
      {
        onSuccess: (kept) => {
          setSecret('');
          setValue('');
          tell(kept.has_secret ? 'The secret is in the keychain.' : 'The secret was removed.');
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
      {keeping.error && <Problem error={keeping.error} />}
      <div className="receiving-grid">
        <Field
          label="HMAC secret"
          type="password"
          autoComplete="off"
          hint={settings.has_secret ? 'One is stored; a new one replaces it' : 'Goes to the keychain'}
          value={secret}
          error={problemAt(keeping.error, '/secret')}
          onChange={setSecret}
        />
        <Field
          label="Header name"
          hint="Where the webhook has one"
          value={name}
          error={problemAt(keeping.error, '/header_name')}
          onChange={setName}
        />
        <Field
          label="Header value"
          type="password"
          autoComplete="off"
          value={value}
          error={problemAt(keeping.error, '/header_value')}
          onChange={setValue}
        />
      </div>
      <div className="buttons">
        <Button off={wait(keeping.isPending) || (secret === '' && 'Type or paste the secret first.')} onClick={keep}>
          Keep the secret
        </Button>
        {settings.has_secret && (
          <Button
            onClick={() => keeping.mutate({ secret: '', header_name: '', header_value: '' })}
            off={wait(keeping.isPending)}
          >
            Remove the secret
          </Button>
        )}
      </div>
    </section>
  );
}

function Follow({ settings }: { settings: EventsSettings }) {
  const [address, setAddress] = useState(settings.follow);
  const [token, setToken] = useState('');
  const following = useDo('events_follow', REFRESH);
  const follow = (to: string) =>
    following.mutate({ address: to, token }, { onSuccess: (kept) => (setToken(''), setAddress(kept.follow)) });
  return (
    <section aria-label="A listener on a server">
      <h3>A listener on a server</h3>
      {following.error && <Problem error={following.error} />}
      <div className="receiving-grid">
        <Field
          label="Address of the listener"
          placeholder="https://events.example.com"
          value={address}
          error={problemAt(following.error, '/address')}
          onChange={setAddress}
        />
        <Field
          label="Its token"
          type="password"
          autoComplete="off"
          hint={settings.has_follow_token ? 'One is stored' : 'Shown by bordereau listen'}
          value={token}
          error={problemAt(following.error, '/token')}
          onChange={setToken}
        />
      </div>
      <div className="buttons">
        <Button
          off={wait(following.isPending) || (address.trim() === '' && 'Type the address of the listener first.')}
          onClick={() => follow(address)}
        >
          Follow it
        </Button>
        {settings.follow !== '' && (
          <Button off={wait(following.isPending)} onClick={() => follow('')}>
            No longer follow it
          </Button>
        )}
      </div>
    </section>
  );
}

function Told({ settings }: { settings: EventsSettings }) {
  const saving = useDo('events_settings_save', REFRESH);
  const { fail } = useNotices();
  const set = (what: EventWhat, on: boolean) => {
    const others = settings.notices.filter((each) => each !== what);
    const notices = on ? [...others, what] : others;
    saving.mutate({ receiver: settings.receiver, port: settings.port, notices }, { onError: fail });
  };
  return (
    <section aria-label="Notices of the desktop">
      <h3>Notices of the desktop</h3>
      <p className="quiet-text">Told also when the window is behind others.</p>
      <div className="receiving-kinds">
        {WHATS.map(({ what, name }) => (
          <Check key={what} label={name} checked={settings.notices.includes(what)} onChange={(on) => set(what, on)} />
        ))}
      </div>
    </section>
  );
}

function problemAt(error: OperationError | null, pointer: string): string | undefined {
  return error?.boundary.details.find((detail) => detail.pointer === pointer)?.message;
}
