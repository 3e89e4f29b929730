import { act, renderHook, waitFor } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

import type { Platform } from '../platform';
import { PlatformProvider } from './platform';
import { ToastProvider } from './toasts';
import { useEditableSettings } from './useEditableSettings';
import { createQueryClient } from './useOperation';

test('settings that could not be read are read before a change is saved', async () => {
  const stored = { theme: 'system', zoom: 100, agency: 'Hill Country Brokers' };
  const saved: unknown[] = [];
  let reads = 0;
  const call = (operation: string, request: unknown) => {
    if (operation === 'settings_save') saved.push(request);
    else if ((reads += 1) === 1) return Promise.reject(new Error('The disk is busy.'));
    return Promise.resolve(stored);
  };
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <PlatformProvider value={{ call } as unknown as Platform}>
        <ToastProvider>{children}</ToastProvider>
      </PlatformProvider>
    </QueryClientProvider>
  );
  const { result } = renderHook(useEditableSettings, { wrapper });
  await waitFor(() => expect(reads).toBe(1));
  act(() => result.current.updateSettings({ zoom: 125 }));
  await waitFor(() => expect(saved).toEqual([{ ...stored, zoom: 125 }]));
});
