import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { useActionList } from '../../actions/ActionRegistry';
import type { ReferenceData } from '../../bindings/operations';
import { showWithAnswers } from '../../testing';
import { useShellActions } from './useShellActions';

function Commands() {
  useShellActions(() => undefined);
  return useActionList().map(({ id, title, run }) => (
    <button key={id} type="button" onClick={run}>
      {title}
    </button>
  ));
}

test.each([
  [15, 'Lock now', 1],
  [0, 'Set up the lock', 0],
])('with a lock after %s minutes one command says “%s”', async (minutes, title, times) => {
  const lock = { minutes, locked: false, system_sign_in: false };
  const call = showWithAnswers(<Commands />, {} as ReferenceData, { lock_status: lock, lock_now: lock });
  await userEvent.click(await screen.findByRole('button', { name: title }));
  const locks = () => call.mock.calls.filter(([operation]) => operation === 'lock_now');
  await waitFor(() => expect(locks()).toHaveLength(times));
  expect(screen.getByRole('button', { name: 'Settings: Data and backups' })).toBeTruthy();
});
