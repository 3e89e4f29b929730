import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Button } from '../../components/Button';
import { Toasts } from './Toasts';
import { ToastProvider, useToasts } from '../../operations/toasts';

const LONG = 'A sentence that takes its time. '.repeat(4).trim();

function Teller() {
  const { showToast, announce } = useToasts();
  return (
    <>
      <button type="button" onClick={() => showToast('Saved.')}>
        Short
      </button>
      <button type="button" onClick={() => showToast(LONG)}>
        Long
      </button>
      <button type="button" onClick={() => showToast('Marked.', () => showToast('Undone.'))}>
        Mark
      </button>
      <button type="button" onClick={() => announce('Once more')}>
        Say
      </button>
      <Button disabledReason="Choose a state first." onClick={() => showToast('Done.')}>
        Off
      </Button>
      <Button disabledReason={false} onClick={() => showToast('Done.')}>
        On
      </Button>
    </>
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <ToastProvider>
      <Teller />
      <Toasts />
    </ToastProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const shown = (text: string) => screen.queryByText(text) !== null;

test.each([
  ['Short', 'Saved.', 5900, true],
  ['Short', 'Saved.', 6100, false],
  ['Long', LONG, 6100, true],
  ['Long', LONG, LONG.length * 80 + 100, false],
])('news go away when they could be read: %s, %s after %i ms', (button, text, ms, there) => {
  press(button);
  expect(shown(text)).toBe(true);
  pass(ms);
  expect(shown(text)).toBe(there);
});

test('news that are pointed at stay until they are left', () => {
  press('Short');
  const region = screen.getByRole('region', { name: 'Notifications' });
  fireEvent.pointerEnter(region);
  pass(20_000);
  expect(shown('Saved.')).toBe(true);
  fireEvent.pointerLeave(region);
  expect(shown('Saved.')).toBe(false);
});

test('what was done is undone by its toast, each on its own', () => {
  press('Mark');
  press('Mark');
  pass(14_000);
  const [first] = screen.getAllByRole('button', { name: 'Undo: Marked.' });
  expect(screen.getAllByText('Marked.')).toHaveLength(2);
  fireEvent.click(first as HTMLElement);
  expect(screen.getAllByText('Marked.')).toHaveLength(1);
  expect(shown('Undone.')).toBe(true);
});

test.each([
  ['at once', false, true],
  ['after something was typed', true, false],
])('Ctrl+Z undoes it %s', (_, isTyped, isUndone) => {
  press('Mark');
  if (isTyped) fireEvent.input(screen.getByRole('button', { name: 'Short' }));
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(shown('Undone.')).toBe(isUndone);
  expect(shown('Marked.')).toBe(!isUndone);
});

test('the same words said twice are read twice', () => {
  const spoken = screen.getByRole('status');
  for (let times = 0; times < 2; times += 1) {
    press('Say');
    expect(spoken.textContent).toBe('');
    pass(1);
    expect(spoken.textContent).toBe('Once more');
  }
});

test.each([
  ['Off', 'Choose a state first.', 'true'],
  ['On', 'Done.', null],
])('a button that is %s tells %s', (name, told, disabled) => {
  expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe(disabled);
  press(name);
  expect(shown(told)).toBe(true);
});

test('the same said again is there once, as long as the last of them', () => {
  press('Short');
  pass(3000);
  press('Short');
  press('Short');
  expect(screen.getAllByText('Saved.')).toHaveLength(1);
  pass(5900);
  expect(shown('Saved.')).toBe(true);
  pass(200);
  expect(shown('Saved.')).toBe(false);
});

test('only the first press of a double click asks why a button does nothing', () => {
  const off = screen.getByRole('button', { name: 'Off' });
  fireEvent.click(off, { detail: 2 });
  expect(screen.queryByText('Choose a state first.')).toBeNull();
  fireEvent.click(off, { detail: 1 });
  expect(screen.getByText('Choose a state first.')).toBeTruthy();
});
