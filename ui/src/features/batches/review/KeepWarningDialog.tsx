import { useState } from 'react';

import type { ReviewView } from '../../../bindings/operations';
import { Dialog, ErrorBox, Field } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { formatShortcut, pluralize } from '../../../values';

/** Which warnings are kept: those of a cell, or a whole group. */
export interface KeepWarningTarget {
  title: string;
  code: string;
  row: number | null;
  column: number | null;
  rows: number;
}

interface Props {
  id: string;
  target: KeepWarningTarget;
  onDone(review: ReviewView): void;
  onClose(): void;
}

/** Warnings stay as they are; why is asked for, and goes into the audit log. */
export function KeepWarningDialog({ id, target, onDone, onClose }: Props) {
  const [reason, setReason] = useState('');
  const { showToast } = useToasts();
  const keeping = useOperationMutation('review_keep');
  const many = target.rows === 1 ? 'this warning' : `the warnings in ${pluralize(target.rows, 'row')}`;
  const keep = () => {
    const { code, row, column } = target;
    keeping.mutate(
      { id, code, row, column, keep: true, reason },
      {
        onSuccess: (review) => {
          onDone(review);
          showToast(`Kept ${many}. Undo with ${formatShortcut('Mod+Z')}.`);
          onClose();
        },
      },
    );
  };
  const why = keeping.isPending ? 'Working…' : reason.trim() === '' && 'Enter a reason first.';
  const faults = keeping.error?.boundary.details ?? [];
  return (
    <Dialog
      title={`Keep ${many}`}
      hasInput
      onClose={onClose}
      onSubmit={keep}
      action={{ label: 'Keep', disabledReason: why }}
    >
      {keeping.error && faults.length === 0 && <ErrorBox error={keeping.error} />}
      <p>{target.title}. The value is sent as is.</p>
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label="Reason"
        hint="Saved with the rows and recorded in the audit log when they’re sent."
        placeholder="e.g. agreed with the state"
        maxLength={300}
        value={reason}
        error={faults.find((each) => each.pointer === '/reason')?.message}
        onChange={setReason}
      />
    </Dialog>
  );
}
