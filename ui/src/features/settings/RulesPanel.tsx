import type { Operations, RuleDifferenceView, RulesView, Settings, UpdateView } from '../../bindings/operations';
import {
  bindTexts,
  Button,
  DataTable,
  errorsByPointer,
  ErrorBox,
  Field,
  Form,
  QueryError,
  SourceLink,
  Tag,
} from '../../components';
import { useOperationAction, useOperationMutation, useOperationQuery, useSettings, useToasts } from '../../operations';
import { formatLongDate, formatWhen, pluralize } from '../../values';
import { useUnsavedForm } from '../../workbench/unsavedForms';
import { useWorkbench } from '../../workbench/Workbench';

const ADDRESSES: (keyof Operations)[] = ['settings_load', 'rules_show', 'updates_show'];

/** Which rules are in use, rules packs, newer versions, and what the policy of the computer sets. */
export function RulesPanel() {
  const rules = useOperationQuery('rules_show', {}, { alwaysRefetch: true });
  const updates = useOperationQuery('updates_show', {}, { alwaysRefetch: true });
  const settings = useSettings();
  if (rules.error) return <QueryError of={rules} />;
  if (!rules.data || !updates.data || !settings.data) return null;
  return (
    <div className="stack loose">
      <RulesInUse rules={rules.data} />
      <Updates known={updates.data} />
      <AddressForm stored={settings.data} rules={rules.data} updates={updates.data} />
      <Policy />
    </div>
  );
}

function RulesInUse({ rules }: { rules: RulesView }) {
  const { showToast } = useToasts();
  const taking = useOperationMutation('rules_install', 'everything');
  const fetching = useOperationMutation('rules_fetch', 'everything');
  const resetting = useOperationAction('rules_reset', 'everything');
  const error = taking.error ?? fetching.error;
  const tell = (now: RulesView) => {
    if (now.version !== rules.version) showToast(`The rules of ${formatLongDate(now.day)} are used from now on.`);
  };
  const obstacle = rules.obstacle !== '' && rules.obstacle;
  return (
    <section className="card card-body stack" aria-label="Rules">
      <h2 className="buttons">
        {rules.from_pack ? 'Rules from a rules pack' : 'Built-in rules'}
        <Tag tone={rules.from_pack ? 'info' : 'ok'}>version {rules.version}</Tag>
      </h2>
      <p>
        Newest change: {formatLongDate(rules.day)}.{' '}
        {rules.from_pack
          ? `The built-in rules have version ${rules.builtin_version}. The pack is signed with ${rules.signed_by}.`
          : 'A rules pack brings newer rules without a new version of Bordereau; only a signed one is used.'}
      </p>
      {rules.unused !== '' && <p className="warn-strip">{rules.unused}</p>}
      {rules.obstacle !== '' && <p className="told">{rules.obstacle}</p>}
      {error && <ErrorBox error={error} />}
      <div className="buttons">
        <Button
          busy={taking.isPending}
          disabledReason={obstacle}
          onClick={() => taking.mutate({ handle: '' }, { onSuccess: tell })}
        >
          Use a rules pack
        </Button>
        <Button
          busy={fetching.isPending}
          disabledReason={obstacle || (rules.address === '' && 'Enter an address below first.')}
          onClick={() => fetching.mutate({}, { onSuccess: tell })}
        >
          Fetch the newest
        </Button>
        {rules.from_pack && <Button onClick={() => resetting.mutate({})}>Use the built-in rules</Button>}
      </div>
      {rules.from_pack && <Differences all={rules.differences} />}
    </section>
  );
}

function Differences({ all }: { all: RuleDifferenceView[] }) {
  if (all.length === 0) return <p>The pack’s rates and rules are the same as the built-in ones.</p>;
  return (
    <details open>
      <summary>What differs from the built-in rules: {pluralize(all.length, 'value')}</summary>
      <DataTable label="What differs from the built-in rules" columns={['State', 'In', 'Value']}>
        {all.map((each) => (
          <tr key={`${each.state} ${each.is_new} ${each.text}`}>
            <td>{each.state}</td>
            <td className="no-wrap">{each.is_new ? 'the pack' : 'the built-in rules'}</td>
            <td>{each.text}</td>
          </tr>
        ))}
      </DataTable>
    </details>
  );
}

function Updates({ known }: { known: UpdateView }) {
  const { reference } = useWorkbench();
  const checking = useOperationMutation('updates_check');
  const installing = useOperationMutation('updates_install');
  const found = checking.data;
  const isNewer = found !== undefined && found.newer !== '';
  return (
    <section className="card card-body stack" aria-label="Newer versions">
      <h2>Bordereau {known.version}</h2>
      {checking.error && <ErrorBox error={checking.error} />}
      {installing.error && <ErrorBox error={installing.error} />}
      <p role="status">
        {!found && 'Bordereau looks for a newer version when you ask, and installs nothing by itself.'}
        {installing.isPending &&
          'The new version is fetched and checked. What is being sent ends first, and your data is copied before it is installed. '}
        {installing.isSuccess && 'The system installs the new version. Bordereau closes now. '}
        {found && found.newer === '' && `This is the newest version, ${formatWhen(found.checked_at, reference.today)}.`}
        {isNewer && (
          <>
            <strong>Bordereau {found.newer} is available</strong>
            {found.published !== '' && `, published ${formatLongDate(found.published)}`}.{' '}
            {found.page !== '' && <SourceLink title="Open its page" url={found.page} />}
          </>
        )}
      </p>
      {isNewer && found.install_obstacle !== '' && <p>{found.install_obstacle}</p>}
      <div className="buttons">
        {isNewer && found.install_obstacle === '' && (
          <Button
            look="primary"
            busy={installing.isPending}
            disabledReason={installing.isSuccess && 'Bordereau closes now.'}
            onClick={() => installing.mutate({ version: found.newer })}
          >
            {`Install ${found.newer} and close`}
          </Button>
        )}
        <Button
          busy={checking.isPending}
          disabledReason={known.obstacle !== '' && known.obstacle}
          onClick={() => checking.mutate({})}
        >
          Check for updates
        </Button>
      </div>
    </section>
  );
}

function AddressForm({ stored, rules, updates }: { stored: Settings; rules: RulesView; updates: UpdateView }) {
  const [changes, setChanges] = useUnsavedForm<Partial<Settings>>('addresses');
  const saving = useOperationMutation('settings_save', ADDRESSES);
  const { showToast } = useToasts();
  const set = (part: Partial<Settings>) => setChanges({ ...changes, ...part });
  const text = bindTexts({ ...stored, ...changes }, set, errorsByPointer(saving.error));
  const save = () =>
    saving.mutate(
      { ...stored, ...changes },
      {
        onSuccess: () => {
          setChanges(null);
          showToast('Addresses saved.');
        },
      },
    );
  const byPolicy = (is: boolean, address: string) =>
    is ? `The policy of this computer names ${address}.` : 'Given by your provider or office. Leave it empty for none.';
  return (
    <Form className="card card-body stack" aria-label="Addresses" onSubmit={save}>
      <h2>Addresses</h2>
      {saving.error && <ErrorBox error={saving.error} />}
      <Field
        label="Rules packs"
        placeholder="https://"
        hint={
          rules.address_by_profile
            ? `The profile in use names ${rules.address}.`
            : byPolicy(rules.address_by_policy, rules.address)
        }
        {...text('rules_address')}
      />
      <Field
        label="List of versions"
        placeholder="https://"
        hint={byPolicy(updates.address_by_policy, updates.address)}
        {...text('updates_address')}
      />
      <div className="buttons">
        <Button type="submit" look="primary" busy={saving.isPending}>
          Save
        </Button>
        {changes && <Button onClick={() => setChanges(null)}>Discard changes</Button>}
      </div>
    </Form>
  );
}

/** What an administrator decided; nothing where there is no policy. */
function Policy() {
  const { data } = useOperationQuery('policy_show');
  if (!data || data.place === '') return null;
  return (
    <section className="card card-body stack" aria-label="Policy">
      <h2>Policy of this computer</h2>
      {data.fault === '' ? <p>{data.place}</p> : <p className="warn-strip">{data.fault}</p>}
      <ul>
        {data.sets.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
