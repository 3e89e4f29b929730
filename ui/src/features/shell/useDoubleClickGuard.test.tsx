import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { useDoubleClickGuard } from './useDoubleClickGuard';

/** Its first button opens a view with another one in its place, as Review makes place for Send. */
function Steps({ onSend }: { onSend(): void }) {
  useDoubleClickGuard();
  const [step, setStep] = useState('match');
  return step === 'match' ? (
    <button key="match" type="button" onClick={() => setStep('review')}>
      Review 41 rows
    </button>
  ) : (
    <button key="review" type="button" onClick={onSend}>
      Send 26 rows
    </button>
  );
}

test('a double click presses nothing that came in the place of its button', () => {
  const onSend = vi.fn<() => void>();
  render(<Steps onSend={onSend} />);
  const press = (name: string, detail: number) => fireEvent.click(screen.getByRole('button', { name }), { detail });
  press('Review 41 rows', 1);
  press('Send 26 rows', 2);
  expect(onSend).not.toHaveBeenCalled();
  press('Send 26 rows', 1);
  expect(onSend).toHaveBeenCalledTimes(1);
});

test('a button pressed several times in a row counts each press', async () => {
  const onPress = vi.fn<() => void>();
  function Undo() {
    useDoubleClickGuard();
    return (
      <button type="button" onClick={onPress}>
        Undo
      </button>
    );
  }
  render(<Undo />);
  await userEvent.tripleClick(screen.getByRole('button'));
  expect(onPress).toHaveBeenCalledTimes(3);
});

test('a checkbox is switched by each press on its label', async () => {
  function Exempt() {
    useDoubleClickGuard();
    return (
      <label>
        <input type="checkbox" /> Exempt
      </label>
    );
  }
  render(<Exempt />);
  await userEvent.dblClick(screen.getByText('Exempt'));
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  await userEvent.click(screen.getByText('Exempt'));
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});
