import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';

import { AppProviders } from './AppProviders';
import type { ReferenceData } from './bindings/operations';
import { PlatformProvider } from './operations/platform';
import { ToastProvider } from './operations/toasts';
import { createQueryClient } from './operations/useOperation';
import type { Platform } from './platform';
import { WorkbenchProvider } from './workbench/Workbench';

/** Queries and toasts around what a test renders, with the core's calls answered by `call`. */
export function coreWrapper(call: (operation: string, request: never) => Promise<unknown>) {
  const client = createQueryClient();
  const platform = { call } as unknown as Platform;
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <PlatformProvider value={platform}>
        <ToastProvider>{children}</ToastProvider>
      </PlatformProvider>
    </QueryClientProvider>
  );
}

/** What the core answers in a test: a value for each operation, or what makes it from the request. */
type TestAnswers = Record<string, unknown>;

/** Shows a part of the window around these answers and gives the calls of the core; anything else isn't answered. */
export function showWithAnswers(content: ReactNode, reference: ReferenceData, answers: TestAnswers) {
  const all: TestAnswers = { draft_load: { request: null, at: '' }, reference_data: reference, ...answers };
  const call = vi.fn<(operation: string, request: never) => Promise<unknown>>((operation, request) => {
    const answer = all[operation];
    if (answer === undefined) return new Promise(() => undefined);
    return Promise.resolve(typeof answer === 'function' ? answer(request) : answer);
  });
  render(
    <AppProviders platform={{ call } as unknown as Platform}>
      <WorkbenchProvider reference={reference} fallback={null}>
        {content}
      </WorkbenchProvider>
    </AppProviders>,
  );
  return call;
}
