import type { ReactNode } from 'react';

import type { DueEntry, DueMarkKind } from '../../../bindings/operations';
import { Button, Field } from '../../../components';
import { useOperationAction, useToasts } from '../../../operations';
import { formatTimestamp } from '../../../values';

const DONE_TEXTS: Record<DueMarkKind, string> = {
  open: 'Saved.',
  done: 'Marked as done.',
  not_ours: 'Marked as not ours.',
};

/** Says of a due date what a person says of it. */
export function useDueMark(entry: DueEntry, onDone?: () => void) {
  const marking = useOperationAction('due_mark', ['due_list', 'today_show']);
  const { showToast } = useToasts();
  const save = (kind: DueMarkKind, note: string) =>
    marking.mutate(
      { id: entry.id, kind, note },
      {
        onSuccess: () => {
          showToast(DONE_TEXTS[kind]);
          onDone?.();
        },
      },
    );
  return { save, busy: marking.isPending };
}

interface Props {
  entry: DueEntry;
  note: string;
  onNote(note: string): void;
  onSave(kind: DueMarkKind, note: string): void;
  busy: boolean;
  /** Buttons beside its own. */
  children: ReactNode;
}

/** What a person says of a due date: done, not ours with a reason, or a note. */
export function DueMarkForm({ entry, note, onNote, onSave, busy, children }: Props) {
  const { mark } = entry;
  const save = (kind: DueMarkKind, text = note) => onSave(kind, text);
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
        hint="Enter saves it, and so does closing. It goes into the calendar file."
        maxLength={500}
        value={note}
        onChange={onNote}
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
