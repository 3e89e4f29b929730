import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { coreWrapper } from '../testing';
import { useEditableSettings } from './useEditableSettings';

test('settings that could not be read are read before a change is saved', async () => {
  const stored = { theme: 'system', zoom: 100, agency: 'Hill Country Brokers' };
  const saved: unknown[] = [];
  let reads = 0;
  const call = (operation: string, request: unknown) => {
    if (operation === 'settings_save') saved.push(request);
    else if ((reads += 1) === 1) return Promise.reject(new Error('The disk is busy.'));
    return Promise.resolve(stored);
  };
  const { result } = renderHook(useEditableSettings, { wrapper: coreWrapper(call) });
  await waitFor(() => expect(reads).toBe(1));
  act(() => result.current.updateSettings({ zoom: 125 }));
  await waitFor(() => expect(saved).toEqual([{ ...stored, zoom: 125 }]));
});
