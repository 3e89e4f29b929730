import { useState } from 'react';

import type { Assignment, Operations, WorkKind } from '../bindings/operations';
import { Button, Dialog, Field, SelectField } from '../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../operations';
import { formatTimestamp } from '../values';

/** What shows who does what. */
export const ASSIGNMENT_QUERIES: (keyof Operations)[] = [
  'batch_list',
  'batch_show',
  'review_list',
  'events_list',
  'events_detail',
  'due_list',
  'today_show',
];
const NOBODY = { code: '', name: 'Nobody' };
const ANYONE = 'anyone';
/** No name in an office is empty, and none begins like this. */
const NONE = ' nobody';

/** Who works in the office; null while this computer's own data is in use, where nothing is assigned. */
export function useOfficePeople() {
  const people = useOperationQuery('office_people').data;
  return people && people.me !== '' ? people : null;
}

/** What people of the office are shown as: their name, or their role in the database. */
export function usePersonName(): (role: string) => string {
  const names = useOfficePeople()?.names;
  return (role) => names?.[role] ?? role;
}

interface FilterProps {
  /** A name, empty for what nobody has, null for all. */
  value: string | null;
  onChange(person: string | null): void;
}

/** Whose work is shown; nothing outside of an office. */
export function AssignmentFilter({ value, onChange }: FilterProps) {
  const office = useOfficePeople();
  const nameOf = usePersonName();
  if (!office) return null;
  const others = office.people.filter((person) => person !== office.me);
  const choices = [
    { code: ANYONE, name: 'Anyone' },
    { code: office.me, name: 'Me' },
    { code: NONE, name: 'Nobody' },
    ...others.map((person) => ({ code: person, name: nameOf(person) })),
  ];
  return (
    <SelectField
      label="Assigned to"
      choices={choices}
      value={value === null ? ANYONE : value || NONE}
      onChange={(code) => onChange(code === ANYONE ? null : code === NONE ? '' : code)}
    />
  );
}

/** Whether a line is shown with this filter. */
export function isAssignedTo(assigned: Assignment | null, person: string | null): boolean {
  return person === null || (assigned?.person ?? '') === person;
}

interface AssignedProps {
  kind: WorkKind;
  id: string;
  /** What it is called, for the dialog and for screen readers. */
  name: string;
  assigned: Assignment | null;
}

/** Who does it, and the way to change that; nothing outside of an office. */
export function AssignedPerson({ kind, id, name, assigned }: AssignedProps) {
  const office = useOfficePeople();
  const nameOf = usePersonName();
  const [isOpen, setOpen] = useState(false);
  if (!office) return null;
  const person = assigned?.person ?? '';
  const who = person === office.me ? 'Me' : nameOf(person) || 'Nobody';
  return (
    <>
      <Button
        small
        look="quiet"
        aria-label={`${name}: assigned to ${who}`}
        disabledReason={!office.may_assign && 'Your role can only view this.'}
        onClick={() => setOpen(true)}
      >
        {who}
      </Button>
      {assigned && assigned.note !== '' && <span className="below">{assigned.note}</span>}
      {isOpen && (
        <AssignDialog
          {...{ kind, id, name, assigned }}
          me={office.me}
          people={office.people}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface DialogProps extends AssignedProps {
  me: string;
  people: string[];
  onClose(): void;
}

function AssignDialog({ kind, id, name, assigned, me, people, onClose }: DialogProps) {
  const [person, setPerson] = useState(assigned?.person ?? '');
  const [note, setNote] = useState(assigned?.note ?? '');
  const assigning = useOperationMutation('work_assign', ASSIGNMENT_QUERIES);
  const { showToast } = useToasts();
  const nameOf = usePersonName();
  const assign = (to: string) =>
    assigning.mutate(
      { kind, ids: [id], person: to, note },
      {
        onSuccess: () => {
          showToast(
            to === '' ? `Nobody has “${name}” now.` : `Assigned “${name}” to ${to === me ? 'you' : nameOf(to)}.`,
          );
          onClose();
        },
      },
    );
  const gone =
    person !== '' && !people.includes(person) ? [{ code: person, name: `${nameOf(person)} (no longer here)` }] : [];
  const choices = [
    NOBODY,
    { code: me, name: `${nameOf(me)} (me)` },
    ...people.filter((each) => each !== me).map((each) => ({ code: each, name: nameOf(each) })),
    ...gone,
  ];
  return (
    <Dialog
      title={`Assign “${name}”`}
      bodyClass="stack loose"
      hasInput
      error={assigning.error}
      onClose={onClose}
      onSubmit={() => assign(person)}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={assigning.isPending}
            disabledReason={assigned?.person === me && 'It is assigned to you.'}
            onClick={() => assign(me)}
          >
            Assign to me
          </Button>
          <Button type="submit" look="primary" busy={assigning.isPending}>
            Save
          </Button>
        </>
      }
    >
      <SelectField label="Assigned to" pointer="/person" choices={choices} value={person} onChange={setPerson} />
      <Field
        label="Note"
        pointer="/note"
        hint="For the person who does it. Everyone in the office can see it."
        maxLength={500}
        value={note}
        onChange={setNote}
      />
      {assigned && (
        <p className="quiet-text">
          Last changed by {nameOf(assigned.by)}, {formatTimestamp(assigned.at)}.
        </p>
      )}
    </Dialog>
  );
}
