import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { DataSafety } from '../../bindings/operations';
import { OperationError } from '../../platform';
import { coreWrapper } from '../../testing';
import { DataPanel } from './DataPanel';

const SAFETY: DataSafety = {
  backups: [],
  sealing: 'Backups are sealed.',
  encryption: 'off',
  encryption_text: 'This data folder isn’t encrypted.',
  has_keychain: true,
  recovery_key_saved_at: '',
  checked_at: '',
  damage: '',
  obstacle: '',
  exposure: '',
  copied_at: '',
  staged: false,
};

function show(safety: Partial<DataSafety>) {
  let shown = { ...SAFETY, ...safety };
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) => {
    if (operation === 'data_encrypt')
      shown = { ...shown, encryption: 'begins_next', encryption_text: 'At the next start.' };
    if (operation === 'data_decrypt')
      shown = { ...shown, encryption: 'ends_next', encryption_text: 'Until the next start.' };
    return Promise.resolve(shown);
  });
  render(<DataPanel />, { wrapper: coreWrapper(call) });
  return call;
}

test('an open data folder is said, and encrypted at the next start', async () => {
  const call = show({});
  expect(await screen.findByText('This data folder isn’t encrypted.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Encrypt the data folder' }));
  expect(await screen.findByText('At the next start.')).toBeTruthy();
  expect(call).toHaveBeenCalledWith('data_encrypt', {});
});

test('without a keychain it can’t be encrypted, and why is said', async () => {
  const text = 'No keychain is available here, so this data folder isn’t encrypted.';
  const call = show({ has_keychain: false, encryption_text: text });
  await userEvent.click(await screen.findByRole('button', { name: 'Encrypt the data folder' }));
  expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  expect(call).not.toHaveBeenCalledWith('data_encrypt', {});
});

test('encryption ends only once that is confirmed', async () => {
  const call = show({ encryption: 'on', encryption_text: 'This data folder is encrypted.' });
  await userEvent.click(await screen.findByRole('button', { name: 'Stop encrypting…' }));
  expect(call).not.toHaveBeenCalledWith('data_decrypt', {});
  await userEvent.click(await screen.findByRole('button', { name: 'Stop encrypting' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('data_decrypt', {}));
  expect(await screen.findByText('Until the next start.')).toBeTruthy();
});

test('a wrong recovery key is said at its field, and the right one is asked for again', async () => {
  const call = show({});
  const message = 'This isn’t a recovery key: a character is missing or wrong.';
  const details = [{ pointer: '/key', message }];
  const wrong = new OperationError('backup_restore_file', { code: 'validation', message, details, retryable: false });
  await userEvent.click(await screen.findByRole('button', { name: 'Restore a backup from a file…' }));
  const field = screen.getByLabelText<HTMLInputElement>('Recovery key');
  expect(field.type).toBe('password');
  call.mockImplementation((operation, request) =>
    operation === 'backup_restore_file' && (request as { key: string }).key !== 'right'
      ? Promise.reject(wrong)
      : Promise.resolve(SAFETY),
  );
  await userEvent.type(field, 'wrong');
  await userEvent.click(screen.getByRole('button', { name: 'Choose the backup…' }));
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  await userEvent.clear(field);
  await userEvent.type(field, 'right');
  await userEvent.click(screen.getByRole('button', { name: 'Choose the backup…' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(call).toHaveBeenCalledWith('backup_restore_file', { key: 'right' });
});
