import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { Assignment, OfficePeople, ReferenceData } from '../bindings/operations';
import { showWithAnswers } from '../testing';
import { AssignedPerson, AssignmentFilter, isAssignedTo } from './Assignment';

const REFERENCE = { today: '2026-03-01' } as ReferenceData;
const OFFICE: OfficePeople = { me: 'ann', may_assign: true, people: ['ann', 'bob'], names: {} };
const TO_BOB: Assignment = { person: 'bob', note: 'call Harbor', by: 'ann', at: '2026-03-01T12:00:00Z' };

function show(people: OfficePeople, assigned: Assignment | null = TO_BOB) {
  const content = (
    <>
      <AssignmentFilter value={null} onChange={() => undefined} />
      <AssignedPerson kind="draft" id="d1" name="May.csv" assigned={assigned} />
    </>
  );
  return showWithAnswers(content, REFERENCE, { office_people: people, work_assign: {} });
}

test('on one’s own computer there is nobody to assign anything to', async () => {
  const call = show({ me: '', may_assign: false, people: [], names: {} });
  await expect.poll(() => call.mock.calls.map(([name]) => name)).toContain('office_people');
  expect(screen.queryByText('Assigned to')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('who does it and the note are shown, and a person takes it over', async () => {
  const call = show(OFFICE);
  await screen.findByText('call Harbor');
  await userEvent.click(screen.getByRole('button', { name: 'May.csv: assigned to bob' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Assign to me' }));
  const request = { kind: 'draft', ids: ['d1'], person: 'ann', note: 'call Harbor' };
  await expect.poll(() => call.mock.calls).toContainEqual(['work_assign', request]);
});

test('a reader sees who does it and can’t change it', async () => {
  const call = show({ me: 'rita', may_assign: false, people: ['ann', 'bob'], names: {} });
  await userEvent.click(await screen.findByRole('button', { name: /May.csv: assigned to bob/ }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(call.mock.calls.map(([name]) => name)).not.toContain('work_assign');
});

test('people are shown by their name, and assigned by their role', async () => {
  const call = show({ ...OFFICE, names: { bob: 'Bob Miller' } });
  await userEvent.click(await screen.findByRole('button', { name: 'May.csv: assigned to Bob Miller' }));
  expect(await screen.findByText(/Last changed by ann/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const request = { kind: 'draft', ids: ['d1'], person: 'bob', note: 'call Harbor' };
  await expect.poll(() => call.mock.calls).toContainEqual(['work_assign', request]);
});

test('a filter is a person, nobody or anyone', () => {
  expect([isAssignedTo(TO_BOB, null), isAssignedTo(TO_BOB, 'bob'), isAssignedTo(TO_BOB, '')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isAssignedTo(null, ''), isAssignedTo({ ...TO_BOB, person: '' }, '')]).toEqual([true, true]);
});
