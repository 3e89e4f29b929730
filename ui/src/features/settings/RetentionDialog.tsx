import { useState } from 'react';

import type { RetentionCounts, RetentionRules, RetentionView } from '../../bindings/operations';
import { Dialog, QueryError, SelectField } from '../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../operations';
import { pluralize } from '../../values';

const ALWAYS = 'always';
const DAYS = [30, 90, 365, 730, 1095, 1825, 2555];
const KINDS: { name: keyof RetentionRules; label: string }[] = [
  { name: 'documents', label: 'Documents of rows' },
  { name: 'rows', label: 'What was sent of a row, and its messages' },
  { name: 'events', label: 'Bodies of events that were read' },
  { name: 'uploads', label: 'Copies of refused and canceled uploads' },
  { name: 'drafts', label: 'Drafts that were sent' },
  { name: 'quotes', label: 'Quotes that weren’t saved' },
];

/** For how long finished data of the profile in use stays on this computer. */
export function RetentionDialog({ onClose }: { onClose(): void }) {
  const retention = useOperationQuery('data_retention', {}, { alwaysRefetch: true });
  if (retention.error) return <QueryError of={retention} />;
  return retention.data ? <RetentionForm view={retention.data} onClose={onClose} /> : null;
}

function RetentionForm({ view, onClose }: { view: RetentionView; onClose(): void }) {
  const [rules, setRules] = useState(view.rules);
  const preview = useOperationMutation('data_retention_preview');
  const saving = useOperationMutation('data_retention_save', 'everything');
  const { showToast } = useToasts();
  const change = (name: keyof RetentionRules, days: string) => {
    const changed = { ...rules, [name]: days === ALWAYS ? null : Number(days) };
    setRules(changed);
    preview.mutate(changed);
  };
  const goes = countWords((preview.data ?? view).counts);
  const save = () =>
    saving.mutate(rules, {
      onSuccess: ({ counts }) => {
        const gone = countWords(counts);
        showToast(gone === '' ? 'Saved. Nothing was deleted.' : `Saved. Deleted: ${gone}.`);
        onClose();
      },
    });
  return (
    <Dialog
      title={`How long data of ${view.profile} is kept`}
      bodyClass="stack loose"
      hasInput
      error={saving.error ?? preview.error}
      onClose={onClose}
      onSubmit={save}
      action={{ label: 'Save', look: goes === '' ? 'primary' : 'danger', busy: saving.isPending }}
    >
      <p>
        On this computer, after it’s finished. Unfinished work, items that wait for you, and only copies are always
        kept, and so are the numbers, amounts, and statuses of rows and the audit log. The service keeps its own data.
      </p>
      {KINDS.map(({ name, label }) => (
        <SelectField
          key={name}
          label={label}
          pointer={`/${name}`}
          choices={choices(name, rules[name])}
          value={rules[name]?.toString() ?? ALWAYS}
          onChange={(days) => change(name, days)}
        />
      ))}
      <p role="status">
        {goes === '' ? 'Nothing is deleted now.' : `Saving deletes now: ${goes}. This can’t be undone.`}
      </p>
    </Dialog>
  );
}

/** The usual times, and the one in force where it is another. */
function choices(name: keyof RetentionRules, days: number | null) {
  const offered = [...new Set([...(name === 'documents' ? [0] : []), ...DAYS, ...(days === null ? [] : [days])])];
  return [
    { code: ALWAYS, name: 'Always' },
    ...offered.toSorted((a, b) => a - b).map((each) => ({ code: each.toString(), name: daysText(each) })),
  ];
}

function daysText(days: number): string {
  if (days === 0) return 'Until the service has them';
  return days % 365 === 0 ? pluralize(days / 365, 'year') : pluralize(days, 'day');
}

function countWords(counts: RetentionCounts): string {
  const counted = [
    [counts.documents, 'document'],
    [counts.rows, 'row'],
    [counts.events, 'event'],
    [counts.uploads, 'upload'],
    [counts.drafts, 'draft'],
    [counts.quotes, 'quote'],
  ] as const;
  return counted
    .filter(([count]) => count > 0)
    .map(([count, name]) => pluralize(count, name))
    .join(', ');
}
