import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { EventKindInfo, Profile } from '../../bindings/operations';
import { ServiceFields } from './ServiceFields';

const draft = {
  has_no_calculator: false,
  words: [{ kind: 'transaction', word: '4', meaning: 'Filed' }],
  delivery_proof: 'signature',
  signature_header: '',
  signature_form: 'any',
  signature_prefix: '',
} as unknown as Profile;

const EVENT_KINDS: EventKindInfo[] = [
  { kind: 'filed', identifier: 'webhook.transaction.status.filed', title: 'Filed with the state' },
  { kind: 'other', identifier: '', title: 'Other events' },
];

test('a profile says what its service does otherwise', async () => {
  const onChange = vi.fn<(part: Partial<Profile>) => void>();
  const error = (pointer: string) => (pointer === '/words/0' ? 'This word is there twice.' : undefined);
  const shared = { eventKinds: EVENT_KINDS, onChange, error };
  const { rerender } = render(<ServiceFields {...shared} draft={draft} />);
  expect(screen.getByText('This word is there twice.')).toBeDefined();
  await userEvent.click(screen.getByRole('checkbox', { name: 'This service has no calculator' }));
  expect(onChange).toHaveBeenLastCalledWith({ has_no_calculator: true });
  await userEvent.click(screen.getByRole('button', { name: 'Add a word' }));
  expect(onChange.mock.lastCall?.[0].words).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Remove word 1' }));
  expect(onChange).toHaveBeenLastCalledWith({ words: [] });
  // A header pair is weaker, and it is said.
  expect(screen.getByLabelText('Signature header')).toBeDefined();
  rerender(<ServiceFields {...shared} draft={{ ...draft, delivery_proof: 'header_pair' }} />);
  expect(screen.queryByLabelText('Signature header')).toBeNull();
  expect(screen.getByText(/Anyone who knows the header/)).toBeDefined();
});

test('a word of the service can mean any event but an unnamed one', async () => {
  const words: Profile['words'] = [
    { kind: 'event', word: 'policy.filed', meaning: 'webhook.transaction.status.filed' },
  ];
  const nothing = () => undefined;
  render(<ServiceFields draft={{ ...draft, words }} eventKinds={EVENT_KINDS} onChange={nothing} error={nothing} />);
  await userEvent.click(screen.getByRole('button', { name: /It means/ }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Filed with the state']);
});
