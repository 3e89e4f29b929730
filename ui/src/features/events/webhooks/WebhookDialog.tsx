import { useState } from 'react';

import type { NamedCode, SaveWebhook, WebhookSaved, WebhookView } from '../../../bindings/operations';
import { Checkbox, Dialog, ErrorBox, Field, FieldErrorText } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { errorsByPointer, bindTexts } from '../../../components/bindTexts';

interface Props {
  /** The one to change; null for a new one. */
  webhook: WebhookView | null;
  kinds: NamedCode[];
  onClose(): void;
  onSaved(saved: WebhookSaved): void;
}

/** What a webhook is to be. */
export function WebhookDialog({ webhook, kinds, onClose, onSaved }: Props) {
  const [form, setForm] = useState<SaveWebhook>(() => toFormValues(webhook, kinds));
  const saving = useOperationMutation('webhook_save', ['webhook_list']);
  const { showToast } = useToasts();
  const set = (change: Partial<SaveWebhook>) => setForm((old) => ({ ...old, ...change }));
  const save = () =>
    saving.mutate(form, {
      onSuccess: (saved) => {
        // What the page holds of a secret is what it shows.
        saving.reset();
        if (webhook) showToast(`Saved ${saved.webhook.title}.`);
        onSaved(saved);
      },
    });
  const at = errorsByPointer(saving.error);
  const text = bindTexts(form, set, at);
  const isNamed = saving.error?.boundary.details.some((detail) => FORM_POINTERS.has(detail.pointer));
  return (
    <Dialog
      title={webhook ? `Edit ${webhook.title}` : 'Add webhook'}
      onClose={onClose}
      wide
      hasInput
      bodyClass="fit webhook-form"
      onSubmit={() => {
        if (!saving.isPending) save();
      }}
      action={{ label: webhook ? 'Save' : 'Add webhook', busy: saving.isPending }}
    >
      {saving.error && !isNamed && <ErrorBox error={saving.error} />}
      <Field
        label="Title"
        required
        {...text('title')}
        maxLength={100}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <Field
        label="Address"
        required
        placeholder="https://hooks.example.com/bordereau"
        hint={
          webhook?.here
            ? 'This computer’s receiver. Its address can’t be changed.'
            : 'https, or http on the service’s own machine'
        }
        readOnly={webhook?.here ?? false}
        {...text('url')}
      />
      <Field label="Description" {...text('description')} />
      <Field
        label="States"
        placeholder="TX, FL"
        hint="Leave empty for all states. Batch events are always sent."
        value={form.states.join(', ')}
        error={at('/states')}
        onChange={(states) => set({ states: states.split(/,\s*/) })}
      />
      <EventKindChoices
        kinds={kinds}
        chosen={form.events}
        error={at('/events')}
        onChange={(events) => set({ events })}
      />
      <Field
        label="Header name"
        hint="Sent with every delivery. Leave empty for none."
        value={form.header_name}
        error={at('/header_key')}
        onChange={(name) => set({ header_name: name })}
      />
      <Field
        label="Header value"
        type="password"
        hint={webhook && webhook.header_name !== '' ? 'Leave empty to keep the current value' : 'Never shown again'}
        {...text('header_value')}
      />
    </Dialog>
  );
}

const FORM_POINTERS = new Set(['/title', '/url', '/description', '/states', '/events', '/header_key', '/header_value']);

function toFormValues(webhook: WebhookView | null, kinds: NamedCode[]): SaveWebhook {
  return {
    id: webhook?.id ?? '',
    title: webhook?.title ?? '',
    description: webhook?.description ?? '',
    events: webhook?.events ?? kinds.map((kind) => kind.code),
    url: webhook?.url ?? '',
    header_name: webhook?.header_name ?? '',
    header_value: '',
    states: webhook?.states ?? [],
  };
}

interface EventKindProps {
  kinds: NamedCode[];
  chosen: string[];
  error: string | undefined;
  onChange(chosen: string[]): void;
}

function EventKindChoices({ kinds, chosen, error, onChange }: EventKindProps) {
  const all = chosen.length === kinds.length;
  return (
    <fieldset className="fit webhook-kinds">
      <legend>Events</legend>
      <Checkbox
        label="All events"
        checked={all}
        onChange={(on) => onChange(on ? kinds.map((kind) => kind.code) : [])}
      />
      {kinds.map(({ code, name }) => (
        <Checkbox
          key={code}
          label={name}
          checked={chosen.includes(code)}
          onChange={(on) => onChange(on ? [...chosen, code] : chosen.filter((each) => each !== code))}
        />
      ))}
      {error && <FieldErrorText message={error} />}
    </fieldset>
  );
}
