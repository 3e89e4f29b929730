import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { LockStatus } from '../../bindings/operations';
import { OperationError, type Platform } from '../../platform';
import { RememberedPlacesProvider, useRememberedPlace } from '../../workbench/rememberedPlaces';
import { LockGate } from './LockGate';

/** A view of the window, which says what it was opened for. */
function Place() {
  const [place, setPlace] = useRememberedPlace('view', 'today');
  return (
    <button type="button" onClick={() => setPlace('batches')}>
      {place}
    </button>
  );
}

test('what was open before the lock is open afterwards, and meanwhile nothing of it is in the page', async () => {
  const status: LockStatus = { minutes: 15, locked: false, system_sign_in: false };
  let isLocked = false;
  const call = vi.fn<(operation: string) => Promise<unknown>>((operation) => {
    if (operation === 'lock_now') isLocked = true;
    if (operation === 'unlock') isLocked = false;
    return Promise.resolve({ ...status, locked: isLocked });
  });
  render(
    <LockGate platform={{ call, ready: () => undefined } as unknown as Platform}>
      {(platform, places) => (
        <RememberedPlacesProvider value={places}>
          <Place />
          <button type="button" onClick={() => void platform.call('lock_now', {})}>
            Lock now
          </button>
        </RememberedPlacesProvider>
      )}
    </LockGate>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'today' }));
  await userEvent.click(screen.getByRole('button', { name: 'Lock now' }));
  await userEvent.type(await screen.findByLabelText('Passphrase'), 'x');
  expect(screen.queryByText('batches')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
  expect(await screen.findByRole('button', { name: 'batches' })).toBeTruthy();
});

test('the computer’s own sign-in is offered where there is one, and a refusal is said', async () => {
  const status: LockStatus = { minutes: 15, locked: true, system_sign_in: true };
  const refusal = new OperationError('unlock_with_system', {
    code: 'locked',
    message: "The system couldn't verify it's you. Try again, or enter the passphrase.",
    details: [],
    retryable: false,
  });
  const answers = [Promise.reject(refusal), Promise.resolve({ ...status, locked: false })];
  answers[0]?.catch(() => undefined);
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) =>
    operation === 'unlock_with_system' ? (answers.shift() ?? Promise.reject(refusal)) : Promise.resolve(status),
  );
  render(
    <LockGate platform={{ call, ready: () => undefined } as unknown as Platform}>{() => <p>The views</p>}</LockGate>,
  );
  const button = await screen.findByRole('button', { name: 'Use this computer’s sign-in' });
  await userEvent.click(button);
  expect(await screen.findByText(refusal.message)).toBeTruthy();
  expect(screen.queryByText('The views')).toBeNull();
  await userEvent.click(button);
  expect(await screen.findByText('The views')).toBeTruthy();
});
