import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { DueEntry, DueMark, DueMarkKind } from '../../../bindings/operations';
import { Button, Field, Form } from '../../../components';
import { useConflictToast, useOperationMutation, useToasts } from '../../../operations';
import { OperationError } from '../../../platform';
import { formatTimestamp, pluralize } from '../../../values';
import { usePersonName } from '../../../workbench/Assignment';

const DONE_TEXTS: Record<DueMarkKind, string> = {
  open: 'Saved.',
  done: 'Marked as done.',
  not_ours: 'Marked as not ours.',
};

/** Marks due dates as done, open, or not ours, and offers to undo it. */
export function useDueMarks() {
  const client = useQueryClient();
  const { mutateAsync: mark, isPending } = useOperationMutation('due_mark');
  const { showToast } = useToasts();
  const showConflict = useConflictToast();
  /** The revisions of the marks; null where one failed. */
  const saveAll = async (marks: DueMark[]): Promise<string[] | null> => {
    const saved: string[] = [];
    try {
      // One after the other, so that the error names the one that failed.
      // oxlint-disable-next-line no-await-in-loop
      for (const each of marks) saved.push((await mark(each)).revision);
      return saved;
    } catch (error) {
      // Those before it are marked.
      const [failed, ...rest] = marks.slice(saved.length);
      if (error instanceof OperationError && failed)
        showConflict(
          error,
          (revision) => void saveAll([{ ...failed, revision }, ...rest]),
          () => void (rest.length > 0 && saveAll(rest)),
        );
      return null;
    } finally {
      for (const name of ['due_list', 'today_show']) void client.invalidateQueries({ queryKey: [name] });
    }
  };
  /** Without a note each keeps its own. */
  const save = async (entries: DueEntry[], kind: DueMarkKind, note?: string) => {
    const before = entries.map(({ id, mark: was }) => ({ id, kind: was?.kind ?? 'open', note: was?.note ?? '' }));
    const after = entries.map(({ id, mark: was }) => ({
      id,
      kind,
      note: note ?? was?.note ?? '',
      revision: was?.revision ?? '',
    }));
    const saved = await saveAll(after);
    if (!saved) return false;
    const count = entries.length > 1 ? `${pluralize(entries.length, 'due date')}: ` : '';
    const undone = before.map((each, at) => ({ ...each, revision: saved[at] ?? '' }));
    showToast(`${count}${DONE_TEXTS[kind]}`, () => void saveAll(undone));
    return true;
  };
  return { save, busy: isPending };
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
  const nameOf = usePersonName();
  const save = (kind: DueMarkKind, text = note) => onSave(kind, text);
  const isSettled = mark !== null && mark.kind !== 'open';
  return (
    <Form className="stack due-mark" onSubmit={() => save(mark?.kind ?? 'open')}>
      {isSettled && (
        <p>
          Marked as {mark.kind === 'done' ? 'done' : 'not ours'} by {nameOf(mark.by)}, {formatTimestamp(mark.at)}.
        </p>
      )}
      <Field
        label="Note"
        hint="Saved when you press Enter or close. It goes into the calendar file."
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
    </Form>
  );
}
