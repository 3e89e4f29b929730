import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { Profile } from '../../bindings/operations';
import { ServiceFields } from './ServiceFields';

const draft = {
  has_no_calculator: false,
  words: [{ kind: 'transaction', word: '4', meaning: 'Filed' }],
  delivery_proof: 'signature',
  signature_header: '',
  signature_form: 'any',
  signature_prefix: '',
} as unknown as Profile;

test('a profile says what its service does otherwise', async () => {
  const onChange = vi.fn<(part: Partial<Profile>) => void>();
  const error = (pointer: string) => (pointer === '/words/0' ? 'This word is there twice.' : undefined);
  const { rerender } = render(<ServiceFields draft={draft} onChange={onChange} error={error} />);
  expect(screen.getByText('This word is there twice.')).toBeDefined();
  await userEvent.click(screen.getByRole('checkbox', { name: 'This service has no calculator' }));
  expect(onChange).toHaveBeenLastCalledWith({ has_no_calculator: true });
  await userEvent.click(screen.getByRole('button', { name: 'Add a word' }));
  expect(onChange.mock.lastCall?.[0].words).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Remove word 1' }));
  expect(onChange).toHaveBeenLastCalledWith({ words: [] });
  // A header pair is weaker, and it is said.
  expect(screen.getByLabelText('Signature header')).toBeDefined();
  rerender(<ServiceFields draft={{ ...draft, delivery_proof: 'header_pair' }} onChange={onChange} error={error} />);
  expect(screen.queryByLabelText('Signature header')).toBeNull();
  expect(screen.getByText(/Anyone who knows the header/)).toBeDefined();
});
