import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { coreWrapper } from '../../../testing';
import { USUAL_LAYOUT, useGridLayout } from './useGridLayout';

test('what is chosen before the stored columns have come is added to them', async () => {
  const stored = { ...USUAL_LAYOUT, widths: { premium: 200 } };
  const saved: unknown[] = [];
  const answers: ((layout: unknown) => void)[] = [];
  const call = (operation: string, request: unknown) => {
    if (operation === 'grid_layout') return new Promise((resolve) => answers.push(resolve));
    saved.push(request);
    return Promise.resolve({});
  };
  const { result } = renderHook(() => useGridLayout('Nightly'), { wrapper: coreWrapper(call) });
  act(() => result.current.change({ file_order: true }));
  await waitFor(() => expect(answers).toHaveLength(2));
  await act(async () => answers.forEach((answer) => answer(stored)));
  await waitFor(() => expect(result.current.layout).toEqual({ ...stored, file_order: true }));
  act(() => result.current.change({ frozen: 2 }));
  const all = { ...stored, file_order: true, frozen: 2 };
  await waitFor(() => expect(result.current.layout).toEqual(all));
  await waitFor(() => expect(saved).toEqual([{ mapping: 'Nightly', layout: all }]));
});
