import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { ErrorBoundary } from './ErrorBoundary';

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

test.each([
  ['a defect', false, 'Something went wrong in Bordereau', true],
  ['a script whose host has ended', true, 'This view can’t be loaded', false],
])('%s', (_, isLoadFailure, title, isReported) => {
  const error = new Error('Unable to preload x.css');
  if (isLoadFailure) window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
  const Broken = () => {
    throw error;
  };
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByText(title)).toBeTruthy();
  expect(screen.queryByText(/report this message/) !== null).toBe(isReported);
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
});
