import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ReferenceData, RulesView, UpdateView } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { RulesPanel } from './RulesPanel';

const reference = { today: '2026-11-23', states: [], import_fields: [] } as unknown as ReferenceData;

const RULES: RulesView = {
  version: '2026-11-22.34',
  day: '2026-11-22',
  builtin_version: '2026-11-22.34',
  from_pack: false,
  signed_by: '',
  differences: [],
  trusted_keys: ['key'],
  address: '',
  address_by_policy: false,
  address_by_profile: false,
  obstacle: '',
  unused: '',
};

const FROM_PACK: RulesView = {
  ...RULES,
  version: '2027-01-02.1',
  day: '2027-01-02',
  from_pack: true,
  signed_by: 'key',
  differences: [
    { state: 'TX', is_new: false, text: 'Tax 4.85%' },
    { state: 'TX', is_new: true, text: 'Tax 4.86%' },
  ],
};

const UPDATES: UpdateView = {
  version: '0.2.0',
  newer: '',
  published: '',
  page: '',
  checked_at: '',
  address: '',
  address_by_policy: false,
  obstacle: 'No address of a list of versions is known.',
  install_obstacle: '',
};

const show = (answers: Record<string, unknown>) =>
  showWithAnswers(<RulesPanel />, reference, {
    settings_load: { rules_address: '', updates_address: '' },
    updates_show: UPDATES,
    policy_show: { place: '', fault: '', sets: [] },
    ...answers,
  });

const disabled = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled');

test('a pack that is used is shown with what it changes', async () => {
  const call = show({ rules_show: RULES, rules_install: FROM_PACK });
  await userEvent.click(await screen.findByRole('button', { name: 'Use a rules pack' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('rules_install', { handle: '' }));
  expect(disabled('Fetch the newest')).toBe('true');
});

test('the built-in rules come back', async () => {
  const call = show({ rules_show: FROM_PACK });
  expect(await screen.findByText('Rules from a rules pack')).toBeTruthy();
  expect(screen.getAllByText(/^Tax 4\.8/).map((cell) => cell.textContent)).toEqual(['Tax 4.85%', 'Tax 4.86%']);
  await userEvent.click(screen.getByRole('button', { name: 'Use the built-in rules' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('rules_reset', {}));
});

test('what the policy decides is shown, and what it switches off cannot be pressed', async () => {
  show({
    rules_show: { ...RULES, obstacle: 'Rules packs are switched off by the policy of this computer.' },
    policy_show: { place: '/etc/bordereau/policy.toml', fault: '', sets: ['Rules packs aren’t used.'] },
  });
  expect(await screen.findByText('Rules packs aren’t used.')).toBeTruthy();
  expect(disabled('Use a rules pack')).toBe('true');
  expect(disabled('Check for updates')).toBe('true');
});

test('a newer version is installed where it can be', async () => {
  const found = { ...UPDATES, newer: '0.3.0' };
  const call = show({
    rules_show: RULES,
    updates_show: { ...UPDATES, obstacle: '' },
    updates_check: found,
    updates_install: {},
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Check for updates' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Install 0.3.0 and close' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('updates_install', { version: '0.3.0' }));
  expect(await screen.findByText(/Bordereau closes now/)).toBeTruthy();
});

test('a newer version is told with its page, and why it is not installed from here', async () => {
  const found = {
    ...UPDATES,
    newer: '0.3.0',
    published: '2026-12-01',
    page: 'https://files.example/get',
    install_obstacle: 'The policy of this computer leaves installing to its administrator.',
  };
  show({ rules_show: RULES, updates_show: { ...UPDATES, obstacle: '' }, updates_check: found });
  await userEvent.click(await screen.findByRole('button', { name: 'Check for updates' }));
  expect(await screen.findByText('Bordereau 0.3.0 is available')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Open its page' })).toBeTruthy();
  expect(screen.getByText(/leaves installing to its administrator/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Install/ })).toBeNull();
});

test('the profile in use names the address of packs', async () => {
  const address = 'https://files.example.com/newest.rules';
  show({ rules_show: { ...RULES, address, address_by_profile: true } });
  expect(await screen.findByText(`The profile in use names ${address}.`)).toBeDefined();
});
