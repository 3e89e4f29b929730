import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { ErrorCode } from '../bindings/operations';
import { OperationError } from '../platform';
import { type Navigation, NavigationProvider } from '../workbench/navigation';
import { Button } from './Button';
import { ErrorBox } from './ErrorBox';
import { Picker } from './Picker';
import { SelectField } from './SelectField';

test('a button that is busy keeps its place and its name, and starts nothing twice', async () => {
  const onClick = vi.fn<() => void>();
  const { rerender } = render(<Button onClick={onClick}>Save</Button>);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  rerender(
    <Button onClick={onClick} busy>
      Save
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(button);
  expect(onClick).toHaveBeenCalledTimes(1);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.hasAttribute('disabled')).toBe(false);
});

test.each<[ErrorCode, string, string]>([
  ['not_authorized', 'Open profile', 'profiles'],
  ['sign_in_again', 'Sign in', 'profiles'],
  ['untrusted', 'Test connection', 'profiles'],
  ['keychain_unavailable', 'Open keychain settings', 'keychain'],
  ['offline', 'Try again', ''],
])('%s: “%s” does what it says', async (code, action, section) => {
  const go = vi.fn<Navigation['go']>();
  const onRetry = vi.fn<() => void>();
  const error = new OperationError('quote_calculate', { code, message: '', details: [], retryable: false });
  render(
    <NavigationProvider value={{ view: 'quote', section: 'profiles', subject: '', go, show: () => undefined }}>
      <ErrorBox error={error} onRetry={onRetry} />
    </NavigationProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: action }));
  expect(onRetry).toHaveBeenCalledTimes(section === '' ? 1 : 0);
  expect(go.mock.calls).toEqual(section === '' ? [] : [['settings', section]]);
});

test('what matches no choice is said, and the choice before it is not taken for it', async () => {
  const onChange = vi.fn<(code: string) => void>();
  const choices = [
    { code: 'PR', name: 'Puerto Rico' },
    { code: 'TX', name: 'Texas' },
  ];
  const field = (value: string) => (
    <Picker label="State" noun="state" choices={choices} value={value} pointer="/state" onChange={onChange} />
  );
  const { rerender } = render(field('PR'));
  await userEvent.clear(screen.getByRole('combobox'));
  await userEvent.type(screen.getByRole('combobox'), 'guam');
  await userEvent.tab();
  expect(onChange).toHaveBeenLastCalledWith('');
  rerender(field(''));
  expect(screen.getByText('No state matches “guam”. Choose from the list.')).toBeTruthy();
  await userEvent.type(screen.getByRole('combobox'), 'tex');
  await userEvent.tab();
  expect(onChange).toHaveBeenLastCalledWith('TX');
});

test('a form that a browser fills in with nothing keeps its choice', () => {
  const onChange = vi.fn<(code: string) => void>();
  const choices = [
    { code: 'pro_rata', name: 'Pro rata' },
    { code: 'short_rate', name: 'Short rate' },
  ];
  render(<SelectField label="Return premium" choices={choices} value="pro_rata" onChange={onChange} />);
  const native = screen.getByRole('combobox', { hidden: true });
  for (const value of ['', 'short_rate']) fireEvent.change(native, { target: { value } });
  expect(onChange.mock.calls).toEqual([['short_rate']]);
});
