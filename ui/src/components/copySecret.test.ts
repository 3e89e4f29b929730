import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { copySecret } from './copySecret';

let clipboard = '';

beforeEach(() => {
  vi.useFakeTimers();
  // As where a page may not write by itself what a person copies.
  document.execCommand = vi.fn<() => boolean>(() => {
    const data = { setData: (_type: string, text: string) => (clipboard = text) };
    const event = Object.assign(new Event('copy', { cancelable: true }), { clipboardData: data });
    return document.dispatchEvent(event);
  });
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: {
      readText: () => Promise.resolve(clipboard),
      writeText: (text: string) => Promise.resolve(void (clipboard = text)),
      write: () => Promise.reject(new Error('not here')),
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a secret leaves the clipboard after half a minute', async () => {
  clipboard = 'secret of 20 letters';
  await copySecret('secret of 20 letters');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(clipboard).toBe('secret of 20 letters');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(clipboard).toBe(' ');
});

test('what was copied since is left alone', async () => {
  await copySecret('secret of 20 letters');
  clipboard = 'a policy number';
  await vi.advanceTimersByTimeAsync(31_000);
  expect(clipboard).toBe('a policy number');
});
