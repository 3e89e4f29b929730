import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { LockStatus } from '../../bindings/operations';
import { OperationError, type Platform } from '../../platform';
import { LockGate } from './LockGate';

test('the computer’s own sign-in is offered where there is one, and a refusal is said', async () => {
  const status: LockStatus = { minutes: 15, locked: true, system_sign_in: true };
  const refusal = new OperationError('unlock_with_system', {
    code: 'locked',
    message: 'You were not confirmed. Try again, or enter the passphrase.',
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
