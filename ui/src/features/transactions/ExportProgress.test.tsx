import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { ToastProvider } from '../../operations/toasts';
import { ExportProgress } from './ExportProgress';

test('a file shows its rows, then that it is packed, and can be canceled', async () => {
  const onCancel = vi.fn<() => void>();
  const shown = (stage: 'rows' | 'packing') => (
    <ToastProvider>
      <ExportProgress state={{ stage, done: 1500, rows: 100_000 }} onCancel={onCancel} />
    </ToastProvider>
  );
  const { rerender } = render(shown('rows'));
  expect(screen.getByText('1,500 of 100,000 rows written')).toBeDefined();
  expect(screen.getByRole('progressbar', { name: 'Export progress' }).getAttribute('value')).toBe('1500');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel export' }));
  expect(onCancel).toHaveBeenCalledOnce();
  rerender(shown('packing'));
  expect(screen.getByText('Compressing…')).toBeDefined();
});
