import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { App } from './App';
import { OperationError, type Platform } from './platform';

/** The tasks beside every view come after a pause: then what they need may not be there yet. */
const PAUSE_MS = 1500;

test.each([
  ['fails', () => Promise.reject(error)],
  ['is slow', () => new Promise(() => undefined)],
])('the window stays as it is where its first answer %s', async (_, answer) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  render(<App platform={platform(answer)} />);
  await import('./features/shell/BackgroundTasks');
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  expect(screen.queryByText('Something went wrong in Bordereau')).toBeNull();
  expect(screen.getByRole('navigation', { name: 'Views' })).toBeTruthy();
});

const error = new OperationError('reference_data', { code: 'offline', message: '', details: [], retryable: true });

const platform = (reference: () => Promise<unknown>): Platform => ({
  kind: 'http',
  call: (operation) => (operation === 'reference_data' ? reference() : new Promise(() => undefined)) as Promise<never>,
  onDrop: () => () => undefined,
  onDrag: () => () => undefined,
  print: () => Promise.resolve(),
  ready: () => undefined,
});
