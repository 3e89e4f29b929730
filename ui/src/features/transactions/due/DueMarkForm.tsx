import { type ReactNode, useState } from 'react';

import type { DueEntry, DueMarkKind } from '../../../bindings/operations';
import { Button, Field } from '../../../components';
import { useOperationAction, useToasts } from '../../../operations';
import { formatTimestamp } from '../../../values';

const DONE_TEXTS: Record<DueMarkKind, string> = {
  open: 'Saved.',
  done: 'Marked as done.',
  not_ours: 'Marked as not ours.',
};

interface Props {
  entry: DueEntry;
  onDone(): void;
  /** Buttons beside its own. */
  children: ReactNode;
}

/** What a person says of a due date: done, not ours with a reason, or a note. */
export function DueMarkForm({ entry, onDone, children }: Props) {
  const { mark } = entry;
  const [note, setNote] = useState(mark?.note ?? '');
  const marking = useOperationAction('due_mark', ['due_list', 'today_show']);
  const { showToast } = useToasts();
  const save = (kind: DueMarkKind, text = note) =>
    marking.mutate(
      { id: entry.id, kind, note: text },
      {
        onSuccess: () => {
          showToast(DONE_TEXTS[kind]);
          onDone();
        },
      },
    );
  const busy = marking.isPending;
  const isSettled = mark !== null && mark.kind !== 'open';
  return (
    <form
      className="stack due-mark"
      onSubmit={(event) => {
        event.preventDefault();
        save(mark?.kind ?? 'open');
      }}
    >
      {isSettled && (
        <p>
          Marked as {mark.kind === 'done' ? 'done' : 'not ours'} by {mark.by}, {formatTimestamp(mark.at)}.
        </p>
      )}
      <Field
        label="Note"
        hint="Enter saves it. It goes into the calendar file."
        maxLength={500}
        value={note}
        onChange={setNote}
      />
      <div className="buttons">
        {isSettled ? (
          <Button busy={busy} onClick={() => save('open', '')}>
            Open again
          </Button>
        ) : (
          <>
            <Button busy={busy} onClick={() => save('done')}>
              Done by me
            </Button>
            <Button
              busy={busy}
              disabledReason={note.trim() === '' && 'Enter the reason as the note first.'}
              onClick={() => save('not_ours')}
            >
              Not ours
            </Button>
          </>
        )}
        <Button type="submit" busy={busy} disabledReason={note === (mark?.note ?? '') && 'The note isn’t changed.'}>
          Save note
        </Button>
        <span className="spring" />
        {children}
      </div>
    </form>
  );
}
