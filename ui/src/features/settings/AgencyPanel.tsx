import type { Settings } from '../../bindings/operations';
import { bindTexts, Button, errorsByPointer, ErrorBox, Field, Form, QueryError, TextArea } from '../../components';
import { useOperationMutation, useSettings, useToasts } from '../../operations';
import { useUnsavedForm } from '../../workbench/unsavedForms';
import { SheetTemplateForm } from './SheetTemplateForm';

/** What the agency's sheets for clients say of it, and what is on them. */
export function AgencyPanel() {
  const settings = useSettings();
  if (!settings.data) return <QueryError of={settings} />;
  return (
    <div className="stack">
      <section className="card card-body" aria-label="Agency">
        <AgencyForm stored={settings.data} />
      </section>
      <section className="card card-body" aria-label="Sheet for clients">
        <SheetTemplateForm />
      </section>
    </div>
  );
}

function AgencyForm({ stored }: { stored: Settings }) {
  const [changes, setChanges] = useUnsavedForm<Partial<Settings>>('agency');
  const saving = useOperationMutation('settings_save', ['settings_load']);
  const choosing = useOperationMutation('agency_logo_choose', ['settings_load']);
  const { showToast } = useToasts();
  const error = saving.error ?? choosing.error;
  const set = (part: Partial<Settings>) => setChanges({ ...changes, ...part });
  const text = bindTexts({ ...stored, ...changes }, set, errorsByPointer(error));
  const save = (more: Partial<Settings> = {}) =>
    saving.mutate(
      { ...stored, ...changes, ...more },
      {
        onSuccess: () => {
          setChanges(null);
          showToast('Agency saved.');
        },
      },
    );
  return (
    <Form className="stack narrow" onSubmit={() => save()}>
      <h2>Agency</h2>
      {error && <ErrorBox error={error} />}
      <Field label="Agency name" {...text('agency')} />
      <TextArea label="Address" rows={3} {...text('agency_address')} />
      <Field label="License number" {...text('agency_license')} />
      <div className="buttons">
        <Button busy={choosing.isPending} onClick={() => choosing.mutate({})}>
          Choose logo
        </Button>
        {stored.agency_logo !== '' && <Button onClick={() => save({ agency_logo: '' })}>Remove logo</Button>}
        {stored.agency_logo === '' ? (
          <span className="quiet-text">PNG or JPEG, at most 128 KB.</span>
        ) : (
          <img className="agency-logo" alt="Logo of the agency" src={logoAddress(stored.agency_logo)} />
        )}
      </div>
      <div className="buttons">
        <Button type="submit" look="primary" busy={saving.isPending}>
          Save
        </Button>
        {changes && <Button onClick={() => setChanges(null)}>Discard changes</Button>}
      </div>
    </Form>
  );
}

/** The core keeps PNG and JPEG alone; in Base64 a PNG begins so. */
function logoAddress(logo: string): string {
  return `data:image/${logo.startsWith('iVBOR') ? 'png' : 'jpeg'};base64,${logo}`;
}
