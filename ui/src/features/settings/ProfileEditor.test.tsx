import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { OfficePeople, Profile, ReferenceData } from '../../bindings/operations';
import { OperationError } from '../../platform';
import { showWithAnswers } from '../../testing';
import { blankProfile } from './blankProfile';
import { ProfileEditor } from './ProfileEditor';

const REFERENCE = { service_paths: {} } as unknown as ReferenceData;
const PROFILE = {
  ...blankProfile(),
  id: 'p1',
  name: 'Agency',
  base_url: 'https://sandbox.example',
  revision: 'read',
} satisfies Profile;
const CHANGED = new OperationError('profile_save', {
  code: 'changed_elsewhere',
  message: 'Someone else changed this profile meanwhile, so your change wasn’t saved.',
  details: [{ pointer: '/name', message: 'Name: yours is "Agency 2", theirs is "Our agency".' }],
  retryable: false,
  revision: 'theirs',
});

function edit(office: OfficePeople | null) {
  const call = showWithAnswers(<ProfileEditor profile={PROFILE} onSaved={vi.fn<() => void>()} />, REFERENCE, {
    office_people: office ?? { me: '', may_assign: false, people: [], names: {} },
    profile_save: (profile: Profile) => (profile.revision === 'read' ? Promise.reject(CHANGED) : { profile }),
  });
  const saved = () => call.mock.calls.filter(([name]) => name === 'profile_save').map(([, request]) => request);
  return { saved, press: async (name: string) => userEvent.click(await screen.findByRole('button', { name })) };
}

const name = async () => screen.findByLabelText<HTMLInputElement>('Name', {}, { timeout: 5000 });

test('what someone else changed meanwhile is said at its field, and mine is put in when I say so', async () => {
  const { saved, press } = edit(null);
  await userEvent.type(await name(), ' 2');
  await press('Save profile');
  expect((await screen.findAllByText(/theirs is "Our agency"/)).length).toBeGreaterThan(0);
  expect(document.activeElement, 'the field in question has the focus').toBe(await name());
  await press('Put mine in');
  expect(await screen.findByRole('button', { name: 'Save profile' })).toBeTruthy();
  expect(saved()).toEqual([
    { ...PROFILE, name: 'Agency 2' },
    { ...PROFILE, name: 'Agency 2', revision: 'theirs' },
  ]);
});

test('theirs is kept by dropping mine', async () => {
  const { saved, press } = edit(null);
  await userEvent.type(await name(), ' 2');
  await press('Save profile');
  await press('Keep theirs');
  expect((await name()).value).toBe('Agency');
  expect(screen.queryByText(/theirs is/)).toBeNull();
  expect(saved()).toHaveLength(1);
});

test('in an office a profile says whose it is, elsewhere nobody is asked', async () => {
  edit({ me: 'ann', may_assign: true, people: ['ann'], names: {} });
  await name();
  expect(await screen.findByRole('button', { name: /^Used by/ })).toBeTruthy();
});
