import './settings.css';

import { useState } from 'react';

import type { OfficeCopy, OfficeRequest, OfficeSettings, OfficeView } from '../../bindings/operations';
import { Button, ConfirmDialog, ErrorBox, Field, Form, QueryError, SelectField } from '../../components';
import { useOperationAction, useOperationMutation, useOperationQuery, useToasts } from '../../operations';
import type { OperationError } from '../../platform';
import { pluralize } from '../../values';
import { useOfficePeople, usePersonName } from '../../workbench/Assignment';
import { useUnsavedForm } from '../../workbench/unsavedForms';
import { FileField } from './FileField';

const REFRESH: ['office_show'] = ['office_show'];
const AT_NEXT_START = 'Close Bordereau and open it again.';
const SIGN_INS = [
  { code: 'password', name: 'Password' },
  { code: 'certificate', name: 'Certificate' },
  { code: 'nothing', name: 'No password: the server knows this account' },
];
const TRUSTS = [
  { code: 'system', name: 'Encrypted, certificate trusted by this computer' },
  { code: 'authority', name: 'Encrypted, certificate of the office’s authority' },
  { code: 'this_computer', name: 'Not encrypted: the database is on this computer' },
];
const NEW: OfficeSettings = {
  host: '',
  port: 5432,
  database: '',
  workspace: 'bordereau',
  user: '',
  sign_in: 'password',
  trust: 'system',
  authority: '',
  certificate: '',
  secret_file: '',
};

/** Where the data is: on this computer, or in the database of an office. */
export function OfficePanel() {
  const view = useOperationQuery('office_show', {}, { alwaysRefetch: true });
  if (view.error) return <QueryError of={view} />;
  if (!view.data) return null;
  return (
    <div className="stack loose">
      <OfficeForm key={view.data.office?.host} view={view.data} />
      {view.data.office && !view.data.restart && view.data.trouble === '' && <OwnName />}
      {view.data.files !== '' && <OfficeFiles view={view.data} />}
      {view.data.office && !view.data.restart && view.data.own_work > 0 && <OwnWork view={view.data} />}
    </div>
  );
}

/**
 * Where Bordereau can't use its office at the start: why, with what was entered to correct it, and the way back to this
 * computer's own data. What is right takes effect at once.
 */
export function OfficeTrouble({ error, onRetry }: { error: OperationError; onRetry(): void }) {
  const view = useOperationQuery('office_show', {}, { alwaysRefetch: true });
  return (
    <div className="panel stack loose">
      <ErrorBox error={error} onRetry={onRetry} />
      {view.data && view.data.trouble !== '' && <OfficeForm view={view.data} onSaved={onRetry} />}
    </div>
  );
}

/** The name that the others see. */
function OwnName() {
  const office = useOfficePeople();
  const nameOf = usePersonName();
  const [typed, setTyped] = useState<string | null>(null);
  const saving = useOperationMutation('office_name_save', ['office_people']);
  const { showToast } = useToasts();
  if (!office) return null;
  const shown = nameOf(office.me) === office.me ? '' : nameOf(office.me);
  const name = typed ?? shown;
  const why =
    (!office.may_assign && 'Your role can only view. An administrator sets your name.') ||
    (name === shown && 'The name isn’t changed.');
  const save = () => {
    const onSuccess = () => {
      setTyped(null);
      showToast(name === '' ? `You’re shown as ${office.me}.` : `You’re shown as ${name}.`);
    };
    if (!why) saving.mutate({ person: '', name: name.trim() }, { onSuccess });
  };
  return (
    <section className="card card-body" aria-label="Your name in the office">
      <h2>Your name in the office</h2>
      <Form className="stack loose" onSubmit={save}>
        {saving.error && <ErrorBox error={saving.error} />}
        <Field
          label="Your name"
          hint={`Shown to the others where you assigned, marked, or sent something. The audit log keeps ${office.me}.`}
          pointer="/name"
          maxLength={60}
          placeholder={office.me}
          value={name}
          onChange={setTyped}
        />
        <div className="buttons">
          <Button type="submit" busy={saving.isPending} disabledReason={why}>
            Save the name
          </Button>
        </div>
      </Form>
    </section>
  );
}

/** Where the office’s larger files are, and this computer’s key for them. */
function OfficeFiles({ view }: { view: OfficeView }) {
  const [key, setKey] = useState('');
  const saving = useOperationMutation('office_files_key', REFRESH);
  const { showToast } = useToasts();
  return (
    <section className="card card-body" aria-label="Files of the office">
      <h2>Files of the office</h2>
      <p>{view.files}</p>
      {view.files_need_key && (
        <Form
          className="stack loose"
          onSubmit={() => {
            const onSuccess = () => {
              setKey('');
              showToast('The key of this computer is saved in the keychain.');
            };
            if (key !== '') saving.mutate({ key }, { onSuccess });
          }}
        >
          {saving.error && <ErrorBox error={saving.error} />}
          <Field
            label="Key of this computer"
            hint="Access key ID, a colon, and secret access key, as your administrator gave them to you."
            type="password"
            pointer="/key"
            autoComplete="off"
            value={key}
            onChange={setKey}
          />
          <div className="buttons">
            <Button type="submit" busy={saving.isPending} disabledReason={key === '' && 'Enter the key first.'}>
              Save the key
            </Button>
          </div>
        </Form>
      )}
    </section>
  );
}

/** What this computer did before it worked on the office’s database. */
function OwnWork({ view }: { view: OfficeView }) {
  const [isAsked, setAsked] = useState(false);
  const why = view.role !== 'administrator' && 'An administrator of the workspace copies data into it.';
  return (
    <section className="card card-body" aria-label="This computer’s own work">
      <h2>This computer’s own work</h2>
      <p>
        {pluralize(view.own_work, 'batch, draft, or saved quote is', 'batches, drafts, and saved quotes are')} in this
        computer’s own data. A copy brings them into the workspace, with all that was sent and the audit log. It can be
        made again: what is there already stays as it is.
      </p>
      <div className="buttons">
        <Button disabledReason={why} onClick={() => setAsked(true)}>
          Copy into the workspace…
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Copy this computer’s own work?"
          keep="Cancel"
          act="Copy into the workspace"
          operation="office_copy"
          request={{}}
          refresh={REFRESH}
          done={describeCopy}
          isSafe
          onClose={() => setAsked(false)}
        >
          Either everything is copied or nothing, and both sides are compared. Other people’s changes wait until it is
          done. This computer’s own data stays where it is.
        </ConfirmDialog>
      )}
    </section>
  );
}

function describeCopy(copied: OfficeCopy) {
  return (
    <div role="status">
      <p>Copied {pluralize(copied.rows, 'row')}. Both sides are equal.</p>
      {copied.present > 0 && (
        <p>
          {pluralize(copied.present, 'row was', 'rows were')} there already
          {copied.different > 0 && `; ${copied.different} of them are different there and stay so`}.
        </p>
      )}
      {copied.renamed.map((it) => (
        <p key={`${it.kind} ${it.name}`}>
          The {it.kind} “{it.name}” is “{it.new_name}” there.
        </p>
      ))}
    </div>
  );
}

function OfficeForm({ view, onSaved }: { view: OfficeView; onSaved?: () => void }) {
  const [typed, setTyped] = useUnsavedForm<OfficeSettings>('office');
  const settings = typed ?? view.office ?? NEW;
  const [password, setPassword] = useState('');
  const [authority, setAuthority] = useState('');
  const [certificate, setCertificate] = useState('');
  const [key, setKey] = useState('');
  const [isLeaving, setLeaving] = useState(false);
  const testing = useOperationAction('office_test');
  const using = useOperationMutation('office_use', REFRESH);
  const { showToast } = useToasts();
  const request: OfficeRequest = {
    settings,
    password,
    authority_file: authority,
    certificate_file: certificate,
    key_file: key,
  };
  const set = (change: Partial<OfficeSettings>) => setTyped({ ...settings, ...change });
  const text = (field: 'host' | 'database' | 'workspace' | 'user') => ({
    pointer: `/${field}`,
    autoComplete: 'off',
    value: settings[field],
    onChange: (value: string) => set({ [field]: value.trim() }),
  });
  const why =
    (settings.host === '' && 'Enter the host first.') ||
    (settings.database === '' && 'Enter the database first.') ||
    (settings.user === '' && 'Enter the database user first.') ||
    (settings.sign_in === 'certificate' &&
      (settings.certificate + certificate === '' || settings.secret_file + key === '') &&
      'Choose the certificate and its key first.') ||
    (settings.trust === 'authority' && settings.authority + authority === '' && 'Choose the authority’s file first.');
  const error = testing.error ?? using.error;
  return (
    <section className="card card-body" aria-label="Office database">
      <h2>{whereText(view)}</h2>
      {view.restart && <p role="status">Close Bordereau and open it again: the change takes effect then.</p>}
      <p>
        An office can share one workspace in PostgreSQL. Batches, drafts, mappings, quotes, and documents are then
        shared, each person’s role decides what they can do, and any computer or server of the office sends what is
        queued. Your administrator creates the workspace and tells you what to enter here. This computer’s own data
        stays where it is.
      </p>
      {error && <ErrorBox error={error} />}
      <Form
        className="stack loose"
        onSubmit={() => {
          if (!why) testing.mutate(request);
        }}
      >
        <div className="fit office-fields">
          <Field label="Host" placeholder="db.office.example" {...text('host')} />
          <Field
            label="Port"
            pointer="/port"
            inputMode="numeric"
            value={String(settings.port)}
            onChange={(value) => set({ port: Math.min(Number(value.replace(/\D/g, '')) || 0, 65535) })}
          />
          <Field label="Database" {...text('database')} />
          <Field label="Workspace" {...text('workspace')} />
          <Field label="Database user" {...text('user')} />
          <SelectField
            label="Sign-in"
            choices={SIGN_INS}
            value={settings.sign_in}
            onChange={(code) => set({ sign_in: code as OfficeSettings['sign_in'] })}
          />
          {settings.sign_in === 'password' && (
            <Field
              label="Password"
              type="password"
              pointer="/password"
              autoComplete="off"
              placeholder={view.office ? 'Unchanged' : ''}
              value={password}
              onChange={setPassword}
            />
          )}
          {settings.sign_in === 'certificate' && (
            <>
              <FileField
                label="Your certificate (PEM)"
                purpose="office_certificate"
                pointer="/certificate"
                value={certificate || (settings.certificate && 'Saved')}
                onChange={setCertificate}
              />
              <FileField
                label="Key of your certificate (PEM)"
                purpose="office_key"
                pointer="/secret_file"
                value={key || settings.secret_file}
                onChange={setKey}
              />
            </>
          )}
          <SelectField
            label="Connection"
            choices={TRUSTS}
            value={settings.trust}
            onChange={(code) => set({ trust: code as OfficeSettings['trust'] })}
          />
          {settings.trust === 'authority' && (
            <FileField
              label="Authority (PEM)"
              purpose="ca_file"
              pointer="/authority"
              value={authority || (settings.authority && 'Saved')}
              onChange={setAuthority}
            />
          )}
        </div>
        {testing.data && (
          <p role="status">
            Connected as {testing.data.user} ({testing.data.role}).{' '}
            {pluralize(testing.data.batches, 'batch', 'batches')} in the workspace.
          </p>
        )}
        <div className="buttons">
          <Button type="submit" busy={testing.isPending} disabledReason={why}>
            Test connection
          </Button>
          <Button
            look="primary"
            busy={using.isPending}
            disabledReason={why}
            onClick={() =>
              using.mutate(request, {
                onSuccess: () => {
                  setTyped(null);
                  if (onSaved) onSaved();
                  else showToast(AT_NEXT_START);
                },
              })
            }
          >
            Use the office database
          </Button>
          {typed && <Button onClick={() => setTyped(null)}>Discard changes</Button>}
          {view.office && <Button onClick={() => setLeaving(true)}>Use this computer’s data…</Button>}
        </div>
      </Form>
      {isLeaving && (
        <ConfirmDialog
          title="Use this computer’s own data?"
          keep="Keep the office database"
          act="Use this computer’s data"
          operation="office_leave"
          request={{}}
          refresh={REFRESH}
          done={onSaved ? 'Bordereau works on this computer’s own data.' : AT_NEXT_START}
          {...(onSaved && { onDone: onSaved })}
          onClose={() => setLeaving(false)}
        >
          The workspace stays as it is for the others. The password and the key for its files are removed from the
          keychain.
        </ConfirmDialog>
      )}
    </section>
  );
}

function whereText({ office, role, restart, trouble }: OfficeView): string {
  if (office && trouble !== '') return `The workspace “${office.workspace}” on ${office.host} can’t be used`;
  const works = restart ? 'Bordereau will work on' : 'Bordereau works on';
  if (!office) return `${works} this computer’s own data`;
  const who = restart || role === '' ? '' : ` as ${office.user} (${role})`;
  return `${works} the workspace “${office.workspace}” on ${office.host}${who}`;
}
