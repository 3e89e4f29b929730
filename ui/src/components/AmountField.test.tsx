import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { AmountField } from './AmountField';

function Held({ first, onText }: { first: string; onText(text: string): void }) {
  const [text, setText] = useState(first);
  const change = (next: string) => {
    onText(next);
    setText(next);
  };
  return <AmountField label="Premium" pointer="/premium" value={text} onChange={change} />;
}

test.each([
  ['10000.0', '10,000.00'],
  ['0', '0.00'],
  ['', ''],
  ['ten', 'ten'],
])('%s is shown as %s, and a field that is only passed changes nothing', async (first, shown) => {
  const onText = vi.fn<(text: string) => void>();
  render(<Held first={first} onText={onText} />);
  const field = screen.getByLabelText<HTMLInputElement>('Premium');
  expect(field.value).toBe(shown);
  await userEvent.click(field);
  await userEvent.tab();
  expect(onText).not.toHaveBeenCalled();
});

test('what is typed stays as typed until the field is left', async () => {
  const onText = vi.fn<(text: string) => void>();
  render(<Held first="1" onText={onText} />);
  const field = screen.getByLabelText<HTMLInputElement>('Premium');
  await userEvent.clear(field);
  await userEvent.type(field, '2500.5');
  expect(field.value).toBe('2500.5');
  await userEvent.tab();
  expect([field.value, onText.mock.lastCall]).toEqual(['2,500.50', ['2,500.50']]);
});
