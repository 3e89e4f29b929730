import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import type { ReferenceData, Settings } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { AgencyPanel } from './AgencyPanel';
import { ProfilesPanel } from './ProfilesPanel';

const settings = { agency: 'Hill Country', agency_address: '', agency_license: '', agency_logo: '' } as Settings;

/** A panel that can be left and opened again. */
function Leavable({ panel: Panel }: { panel: () => React.ReactNode }) {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)}>
        {open ? 'Leave' : 'Return'}
      </button>
      {open && <Panel />}
    </>
  );
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const field = async (name: string) => screen.findByLabelText<HTMLInputElement>(name);

async function leaveAndReturn() {
  await press('Leave');
  await press('Return');
}

const answers = {
  settings_load: settings,
  settings_save: settings,
  sheet_template_list: {
    templates: [{ name: 'Standard', text: 'title = "Quote"', built_in: true }],
    chosen: 'Standard',
  },
  profile_list: { profiles: [] },
};

test('what was typed of the agency and its template is there after leaving, until it is saved or discarded', async () => {
  const call = showWithAnswers(<Leavable panel={AgencyPanel} />, {} as ReferenceData, answers);
  await userEvent.type(await field('Agency name'), ' Brokers');
  await userEvent.type(await field('The template as TOML'), '#');
  await leaveAndReturn();
  expect((await field('Agency name')).value).toBe('Hill Country Brokers');
  expect((await field('The template as TOML')).value).toBe('title = "Quote"#');
  await press('Discard template changes');
  expect((await field('The template as TOML')).value).toBe('title = "Quote"');
  await press('Save');
  expect(call).toHaveBeenCalledWith('settings_save', { ...settings, agency: 'Hill Country Brokers' });
  await leaveAndReturn();
  expect((await field('Agency name')).value).toBe('Hill Country');
});

test('a profile that is being added is there after leaving', async () => {
  showWithAnswers(<Leavable panel={ProfilesPanel} />, { service_paths: {} } as unknown as ReferenceData, answers);
  await press('Add profile');
  await userEvent.type(await field('Name'), 'My sandbox');
  await leaveAndReturn();
  expect((await field('Name')).value).toBe('My sandbox');
  await press('Discard changes');
  expect((await field('Name')).value).toBe('');
});
