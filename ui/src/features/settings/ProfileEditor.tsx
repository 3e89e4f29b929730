import { useEffect, useRef, useState } from 'react';

import type { DefaultPaths, Profile, ProfileView, Operations } from '../../bindings/operations';
import {
  bindTexts,
  Button,
  Checkbox,
  ConfirmDialog,
  ConflictButtons,
  ErrorBox,
  errorsByPointer,
  Field,
  Form,
  NOT_SPECIFIED,
  SelectField,
} from '../../components';
import { useOperationMutation, useReferenceData, useToasts } from '../../operations';
import { useFileSave } from '../../operations/useOperation';
import { useOfficePeople } from '../../workbench/Assignment';
import { DRAFT_QUERIES } from '../../workbench/batchPlace';
import { useUnsavedForm } from '../../workbench/unsavedForms';
import { FileField } from './FileField';
import { ServiceFields } from './ServiceFields';

const ENVIRONMENTS = [
  { code: 'sandbox', name: 'Sandbox (test site)' },
  { code: 'production', name: 'Production (live filings)' },
];
const CLIENT_TYPES = [
  { code: 'enterprise', name: 'Enterprise filing management' },
  { code: 'outsourced', name: 'Outsourced filing' },
];
const SIGN_INS = [
  { code: 'api_key', name: 'API key' },
  { code: 'user', name: 'Username and password' },
  { code: 'both', name: 'Both' },
];

/** The paths that a profile may set; what the contract has for each comes from the core. */
const PATH_FIELDS: [key: keyof DefaultPaths, label: string][] = [
  ['token_path', 'Token path'],
  ['calculator_path', 'Calculator path'],
  ['import_path', 'Batch import path'],
  ['results_path', 'Batch results path'],
  ['search_path', 'Search path'],
  ['status_path', 'Status path'],
  ['documents_path', 'Document import path'],
  ['forms_path', 'Diligent effort forms path'],
  ['single_path', 'Single import path'],
  ['webhooks_path', 'Webhooks path'],
];

/** What a profile is shown by. */
const PROFILE_QUERIES: (keyof Operations)[] = ['profile_list', 'status_show', 'reference_data'];

/** What was typed for this profile and not saved; without an id, for the one that is added. */
export function useUnsavedProfile(id: string) {
  return useUnsavedForm<Profile>(`profile ${id}`);
}

interface Props {
  profile: Profile;
  onSaved(view: ProfileView): void;
  onRemoved?: () => void;
}

/** Everything a profile says, but its secrets. */
export function ProfileEditor({ profile, onSaved, onRemoved }: Props) {
  const [unsaved, setUnsaved] = useUnsavedProfile(profile.id);
  const draft = unsaved ?? profile;
  const reference = useReferenceData().data;
  const office = useOfficePeople();
  const [removing, setRemoving] = useState(false);
  const saving = useOperationMutation('profile_save', [...PROFILE_QUERIES, ...DRAFT_QUERIES]);
  const { showToast } = useToasts();
  const change = (part: Partial<Profile>) => setUnsaved({ ...draft, ...part });
  const error = errorsByPointer(saving.error);
  const text = bindTexts(draft, change, error);
  const save = (revision = draft.revision) =>
    saving.mutate(
      { ...draft, revision: revision ?? null },
      {
        onSuccess: (view) => {
          setUnsaved(null);
          showToast(`Saved ${view.profile.name}.`);
          onSaved(view);
        },
      },
    );
  const keepTheirs = () => {
    setUnsaved(null);
    saving.reset();
  };
  const exporting = useFileSave('profile_export', [], ' It has no key and no sign-in.');
  const form = useRef<HTMLFormElement>(null);
  // To the first field at fault, as in every form.
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>('.bad input, .bad button')?.focus();
  }, [saving.error]);
  const title = profile.id === '' ? 'Add profile' : 'Profile';
  return (
    <Form className="card card-body" aria-label={title} ref={form} onSubmit={() => save()}>
      <h2>{title}</h2>
      {saving.error && (
        <ErrorBox error={saving.error}>
          <ConflictButtons error={saving.error} onMine={save} onTheirs={keepTheirs} />
        </ErrorBox>
      )}
      <div className="pair editor-grid">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <Field label="Name" autoFocus={profile.id === ''} {...text('name')} />
        <SelectField
          label="Environment"
          choices={ENVIRONMENTS}
          value={draft.environment}
          error={error('/environment')}
          onChange={(code) => change({ environment: code as Profile['environment'] })}
        />
        {office && (
          <SelectField
            label="Used by"
            choices={[
              { code: '', name: 'Everyone in the office' },
              { code: office.me, name: 'Only me: nobody else sees it' },
            ]}
            {...text('owner')}
          />
        )}
        <Field
          label="Service address"
          hint="Must start with https."
          className="whole"
          inputMode="url"
          {...text('base_url')}
        />
        <SelectField
          label="Client type"
          choices={CLIENT_TYPES}
          value={draft.client_type}
          onChange={(code) => change({ client_type: code as Profile['client_type'] })}
        />
        <SelectField
          label="Sign in with"
          choices={SIGN_INS}
          value={draft.sign_in}
          onChange={(code) => change({ sign_in: code as Profile['sign_in'] })}
        />
        {draft.sign_in !== 'api_key' && <Field label="Username" {...text('username')} />}
        <Field
          label="Requests per minute"
          hint="0 = contract default (10,000 per minute)"
          numeric
          inputMode="numeric"
          value={String(draft.requests_per_minute)}
          error={error('/requests_per_minute')}
          pointer="/requests_per_minute"
          onChange={(typed) => change({ requests_per_minute: Number(typed.replace(/\D/g, '').slice(0, 6)) })}
        />
        <Field
          label="Transactions per request"
          hint="0 = 1,000; fewer where the service takes fewer at once"
          numeric
          inputMode="numeric"
          value={String(draft.rows_per_request)}
          error={error('/rows_per_request')}
          pointer="/rows_per_request"
          onChange={(typed) => change({ rows_per_request: Number(typed.replace(/\D/g, '').slice(0, 4)) })}
        />
        <FileField label="Extra CA file (PEM)" purpose="ca_file" {...text('ca_file')} />
        <FileField label="Custom lines of business (CSV)" purpose="lines" {...text('lines_file')} />
        <FileField label="Custom Kentucky local rates (CSV)" purpose="kentucky_rates" {...text('kentucky_file')} />
        <SelectField
          label="Agency fee charged by (when a quote or row doesn’t say)"
          choices={[NOT_SPECIFIED, ...(reference?.fee_chargers ?? [])]}
          {...text('fee_charged_by')}
        />
        <Field
          label="Rules packs"
          placeholder="https://"
          hint="While this profile is in use, instead of the address in Rules and updates."
          className="whole"
          inputMode="url"
          {...text('rules_address')}
        />
        <div className="whole">
          <Checkbox
            label="Tell the service who charges the agency fee, the type of dwelling, and the assessment rate"
            hint="Only for a service that accepts these answers. Otherwise they’re used only in the estimate, and any difference is explained."
            checked={draft.sends_quote_details}
            onChange={(sends_quote_details) => change({ sends_quote_details })}
          />
        </div>
        <fieldset className="whole pair paths">
          <legend>Paths, if your provider’s differ</legend>
          {PATH_FIELDS.map(([key, label]) => (
            <Field key={key} label={label} placeholder={reference?.service_paths[key] ?? ''} {...text(key)} />
          ))}
        </fieldset>
        <ServiceFields draft={draft} eventKinds={reference?.event_kinds ?? []} onChange={change} error={error} />
      </div>
      <div className="buttons">
        <Button type="submit" look="primary">
          Save profile
        </Button>
        {unsaved && <Button onClick={() => setUnsaved(null)}>Discard changes</Button>}
        {onRemoved && <Button onClick={() => exporting.save({ id: profile.id })}>Save as file</Button>}
        {onRemoved && (
          <Button look="danger" onClick={() => setRemoving(true)}>
            Remove profile
          </Button>
        )}
      </div>
      {removing && onRemoved && (
        <ConfirmDialog
          title="Remove this profile?"
          keep="Keep profile"
          act="Remove"
          operation="profile_remove"
          request={{ id: profile.id }}
          refresh={PROFILE_QUERIES}
          done={`Removed ${profile.name}.`}
          onClose={() => setRemoving(false)}
          onDone={() => {
            setUnsaved(null);
            onRemoved();
          }}
        >
          “{profile.name}” and its key and sign-in will be removed from this computer. Saved quotes are kept.
        </ConfirmDialog>
      )}
    </Form>
  );
}
