import { useState } from 'react';

import type { ReviewView } from '../../../bindings/operations';
import { Dialog, Field, Picker } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { formatCount, formatShortcut, pluralize } from '../../../values';
import { useOperationQuery } from '../../../operations/useOperation';
import { useImportFields } from '../bordereauFields';
import { FixPreview } from './FixPreview';
import { SET_VALUE } from './IssueGroups';

interface Props {
  id: string;
  /** What others had changed of the draft when it was shown. */
  seenChanges: number;
  title: string;
  code: string;
  fix: string;
  label: string;
  onDone(review: ReviewView): void;
  onClose(): void;
}

/** What a repair of a whole group would change, before it does. */
export function GroupFixDialog({ id, seenChanges, title, code, fix, label, onDone, onClose }: Props) {
  const { showToast } = useToasts();
  const fields = useImportFields();
  const asksValue = fix === SET_VALUE;
  const field = asksValue ? (code.split(':')[1] ?? '') : '';
  const [typed, setTyped] = useState('');
  /** What is shown below; another value is shown before it is applied. */
  const [value, setValue] = useState('');
  const isShown = !asksValue || (value !== '' && typed === value);
  const request = { id, code, fix, row: null, value, seen_changes: seenChanges };
  // Of the rows as they are now, whatever was shown before.
  const preview = useOperationQuery(
    'review_fix',
    { ...request, preview: true },
    { cacheMs: 0, alwaysRefetch: true, enabled: isShown },
  );
  const applying = useOperationMutation('review_fix');
  const apply = () =>
    applying.mutate(
      { ...request, preview: false },
      {
        onSuccess: (outcome) => {
          onDone(outcome.review);
          showToast(`${label}: ${formatCount(outcome.total)} changed. Undo with ${formatShortcut('Mod+Z')}.`);
          onClose();
        },
      },
    );
  const error = preview.error ?? applying.error;
  const { choices } = fields.find(field);
  const isWaiting = applying.isPending || (isShown && preview.isPending);
  const nothing = isShown
    ? preview.data?.total === 0 && 'Nothing to change.'
    : typed.trim() === '' && 'Type the value first.';
  const choose = (next: string) => {
    setTyped(next);
    setValue(next);
  };
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      scrollLabel="Changes"
      error={error}
      foot={
        applying.isPending && (
          <span className="quiet-text" role="status">
            Working…
          </span>
        )
      }
      action={{
        label: !isShown
          ? 'Show the changes'
          : preview.data
            ? `Apply ${pluralize(preview.data.total, 'change')}`
            : 'Apply',
        autoFocus: !asksValue,
        disabledReason: isWaiting ? 'Working…' : nothing,
        onClick: isShown ? apply : () => choose(typed.trim()),
      }}
    >
      {asksValue && <p>Every row of this group gets the value below in {fields.find(field).title}.</p>}
      {asksValue && choices.length > 0 && (
        <Picker
          label="Value"
          pointer="/value"
          placeholder="Name or code"
          choices={choices}
          value={typed}
          onChange={choose}
          autoFocus
        />
      )}
      {asksValue && choices.length === 0 && (
        <Field
          label="Value"
          pointer="/value"
          placeholder={`e.g. ${fields.find(field).example}`}
          value={typed}
          onChange={setTyped}
          autoFocus
        />
      )}
      {isShown && preview.data && <FixPreview outcome={preview.data} />}
      {isShown && preview.isPending && <p>Working…</p>}
      {isShown && preview.data?.total === 0 && <p>Nothing to change.</p>}
    </Dialog>
  );
}
