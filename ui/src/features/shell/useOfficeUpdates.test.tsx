import { renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import type { OfficeNews } from '../../bindings/operations';
import { useOperationQuery } from '../../operations/useOperation';
import { coreWrapper } from '../../testing';
import { useOfficeUpdates } from './useOfficeUpdates';

/** Follows an office that answers this, then nothing more; gives the calls. */
function follow(...answers: OfficeNews[]) {
  const call = vi.fn<(operation: string, request: unknown) => Promise<unknown>>((operation) => {
    if (operation !== 'office_news') return Promise.resolve({ reviews: [], mappings: [] });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : new Promise(() => undefined);
  });
  renderHook(
    () => {
      useOperationQuery('review_list');
      useOperationQuery('quote_list');
      useOfficeUpdates();
    },
    { wrapper: coreWrapper(call) },
  );
  return (operation: string) => call.mock.calls.filter(([name]) => name === operation).map(([, request]) => request);
}

test('what someone else changed is asked for again, and nothing else', async () => {
  const asked = follow(
    { turn: 1, changed: [] },
    { turn: 3, changed: ['drafts', 'mappings'] },
    { turn: 4, changed: ['due_dates'] },
  );
  await waitFor(() => expect(asked('office_news')).toHaveLength(4));
  expect(asked('office_news')).toMatchObject([{ known: 0 }, { known: 1 }, { known: 3 }, { known: 4 }]);
  expect(asked('review_list')).toHaveLength(2);
  expect(asked('quote_list')).toHaveLength(1);
  expect(asked('due_list'), 'what no one looks at waits until someone does').toHaveLength(0);
});

test('a computer on its own data asks once', async () => {
  const asked = follow({ turn: null, changed: [] }, { turn: 1, changed: ['quotes'] });
  await waitFor(() => expect(asked('quote_list')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked('office_news')).toHaveLength(1);
});
