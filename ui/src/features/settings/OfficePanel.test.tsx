import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { OfficeView } from '../../bindings/operations';
import { OperationError } from '../../platform';
import { UnsavedFormsProvider } from '../../workbench/unsavedForms';
import { coreWrapper } from '../../testing';
import { OfficePanel, OfficeTrouble } from './OfficePanel';

const OWN: OfficeView = {
  office: null,
  restart: false,
  role: '',
  own_work: 3,
  files: '',
  files_need_key: false,
  trouble: '',
};

function show(answers: Record<string, () => Promise<unknown>>, panel = <OfficePanel />) {
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>(
    (operation) => answers[operation]?.() ?? Promise.resolve(OWN),
  );
  render(<UnsavedFormsProvider>{panel}</UnsavedFormsProvider>, { wrapper: coreWrapper(call) });
  return call;
}

async function fill() {
  const type = async (field: string, text: string) =>
    userEvent.type(await screen.findByLabelText(field, { selector: 'input' }), text);
  await type('Host', 'db.office.example');
  await type('Database', 'office');
  await type('Database user', 'ann');
  await type('Password', 'correct horse');
}

test('what is missing is said before anything is asked', async () => {
  const call = show({});
  await userEvent.click(await screen.findByRole('button', { name: 'Test connection' }));
  expect(call).not.toHaveBeenCalledWith('office_test', expect.anything());
});

test('a database is tried, and used at the next start', async () => {
  const tested = { user: 'ann', role: 'clerk', server: '15.8', batches: 3 };
  const call = show({ office_test: () => Promise.resolve(tested) });
  await fill();
  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText('Connected as ann (clerk). 3 batches in the workspace.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use the office database' }));
  const used = call.mock.calls.find(([operation]) => operation === 'office_use')?.[1];
  expect(used).toMatchObject({
    password: 'correct horse',
    settings: { host: 'db.office.example', port: 5432, database: 'office', workspace: 'bordereau', user: 'ann' },
  });
});

test('a certificate signs in, once it and its key are chosen', async () => {
  let chosen = 0;
  const call = show({
    choose_file: () => Promise.resolve({ handle: `h${(chosen += 1)}`, name: `ann${chosen}.pem` }),
    office_test: () => Promise.resolve({ user: 'ann', role: 'clerk', server: '15.8', batches: 0 }),
  });
  await fill();
  await userEvent.click(screen.getByRole('button', { name: /^Sign-in/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Certificate' }));
  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(call).not.toHaveBeenCalledWith('office_test', expect.anything());
  await userEvent.click(screen.getByRole('button', { name: 'Choose file: Your certificate (PEM)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Choose file: Key of your certificate (PEM)' }));
  expect(await screen.findByDisplayValue('ann2.pem')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
  await screen.findByText('Connected as ann (clerk). 0 batches in the workspace.');
  const tested = call.mock.calls.find(([operation]) => operation === 'office_test')?.[1];
  expect(tested).toMatchObject({ certificate_file: 'h1', key_file: 'h2', settings: { sign_in: 'certificate' } });
});

test('what failed is said', async () => {
  const message = 'The office database refused the sign-in. Check the name and the password or certificate.';
  show({
    office_test: () =>
      Promise.reject(new OperationError('office_test', { code: 'office', message, details: [], retryable: false })),
  });
  await fill();
  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(message)).toBeTruthy();
});

const SEAT: OfficeView = {
  office: {
    host: 'db.office.example',
    port: 5432,
    database: 'office',
    workspace: 'bordereau',
    user: 'ann',
    sign_in: 'nothing',
    trust: 'system',
    authority: '',
    certificate: '',
    secret_file: '',
  },
  restart: false,
  role: 'administrator',
  own_work: 3,
  files: 'Files are in the database.',
  files_need_key: false,
  trouble: '',
};

test('a computer’s own work is copied by an administrator, who sees what came of it', async () => {
  const copied = {
    tables: 29,
    rows: 412,
    present: 7,
    different: 1,
    log_entries: 5,
    renamed: [{ kind: 'mapping', name: 'Usual', new_name: 'Usual (2)' }],
  };
  const call = show({
    office_show: () => Promise.resolve(SEAT),
    office_copy: () => Promise.resolve(copied),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Copy into the workspace…' }));
  expect(call).not.toHaveBeenCalledWith('office_copy', expect.anything());
  await userEvent.click(screen.getByRole('button', { name: 'Copy into the workspace' }));
  const report = await screen.findByText('Copied 412 rows. Both sides are equal.');
  expect(report.parentElement?.textContent).toContain('7 rows were there already; 1 of them are different');
  expect(report.parentElement?.textContent).toContain('The mapping “Usual” is “Usual (2)” there.');
});

test('who is no administrator is told who copies', async () => {
  const call = show({ office_show: () => Promise.resolve({ ...SEAT, role: 'clerk' }) });
  await userEvent.click(await screen.findByRole('button', { name: 'Copy into the workspace…' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(call).not.toHaveBeenCalledWith('office_copy', expect.anything());
});

test('where files are is said, and the key of this computer goes to the keychain', async () => {
  const files = 'Files larger than 1024 KB are in the S3 bucket office-files (AWS, us-east-1).';
  const view = { ...SEAT, files, files_need_key: true };
  const call = show({
    office_show: () => Promise.resolve(view),
    office_files_key: () => Promise.resolve(view),
  });
  expect(await screen.findByText(files)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Key of this computer', { selector: 'input' }), 'AKID:secret');
  await userEvent.click(screen.getByRole('button', { name: 'Save the key' }));
  expect(call).toHaveBeenCalledWith('office_files_key', { key: 'AKID:secret' });
  expect(await screen.findByLabelText('Key of this computer', { selector: 'input' })).toHaveProperty('value', '');
});

test('an office that can’t be used at the start is corrected, or left, there', async () => {
  const message = 'The office database refused the sign-in.';
  const error = new OperationError('reference_data', { code: 'office', message, details: [], retryable: false });
  const office = { ...SEAT.office, host: 'old.office.example' };
  const troubled = { ...OWN, office, trouble: message };
  const onRetry = vi.fn<() => void>();
  const call = show(
    { office_show: () => Promise.resolve(troubled), office_use: () => Promise.resolve(troubled) },
    <OfficeTrouble error={error} onRetry={onRetry} />,
  );
  expect(await screen.findByText(message)).toBeTruthy();
  const host = await screen.findByLabelText('Host', { selector: 'input' });
  expect(host).toHaveProperty('value', 'old.office.example');
  await userEvent.clear(host);
  await userEvent.type(host, 'db.office.example');
  await userEvent.click(screen.getByRole('button', { name: 'Use the office database' }));
  expect(call).toHaveBeenCalledWith('office_use', expect.objectContaining({ password: '' }));
  const used = call.mock.calls.find(([operation]) => operation === 'office_use')?.[1];
  expect(used).toMatchObject({ settings: { host: 'db.office.example' } });
  await vi.waitFor(() => expect(onRetry).toHaveBeenCalledTimes(1));
  await userEvent.click(screen.getByRole('button', { name: 'Use this computer’s data…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Use this computer’s data' }));
  await vi.waitFor(() => expect(onRetry).toHaveBeenCalledTimes(2));
});
