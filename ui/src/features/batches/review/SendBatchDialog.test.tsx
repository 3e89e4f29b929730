import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import type { ReferenceData, ReviewView } from '../../../bindings/operations';
import { useOperationQuery } from '../../../operations';
import { showWithAnswers } from '../../../testing';
import { SendBatchDialog } from './SendBatchDialog';

const counts = { rows: 1, transactions: 1, ready: 1, errors: 0, warnings: 0, changed: 0, excluded: 0, sent: 0 };
const review = { id: 'r1', name: 'a.csv', counts, groups: [] } as unknown as ReviewView;
const preview = {
  profile: 'Practice',
  environment: 'practice',
  totals: { count: 1, premium: '100.00', taxes: '4.85', stamping: '0.04', states: [] },
  documents: 0,
  kept: 0,
  with_errors: 0,
  parts: 1,
  type_word: '',
};

test('a key that is held sends once', async () => {
  const onClose = vi.fn<() => void>();
  let finish: (batch: { id: string }) => void = () => undefined;
  const call = showWithAnswers(<SendBatchDialog review={review} onClose={onClose} />, {} as ReferenceData, {
    review_send_preview: preview,
    review_send: () => new Promise((resolve) => (finish = resolve)),
  });
  const button = await screen.findByRole('button', { name: 'Send 1 transaction' }, { timeout: 5000 });
  const form = button.closest('form') as HTMLFormElement;
  for (let pressed = 0; pressed < 3; pressed += 1) fireEvent.submit(form);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  fireEvent.submit(form);
  expect(call.mock.calls.filter(([operation]) => operation === 'review_send')).toHaveLength(1);
  finish({ id: 'b1' });
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

function DraftList() {
  return <>{useOperationQuery('review_list').data?.reviews.length} drafts</>;
}

test('a dialog that is done does not wait for the lists behind it', async () => {
  const onClose = vi.fn<() => void>();
  const lists = [Promise.resolve({ reviews: [], mappings: [] }), new Promise(() => undefined)];
  showWithAnswers(
    <>
      <DraftList />
      <SendBatchDialog review={review} onClose={onClose} />
    </>,
    {} as ReferenceData,
    { review_send_preview: preview, review_list: () => lists.shift(), review_send: { id: 'b1' } },
  );
  const button = await screen.findByRole('button', { name: 'Send 1 transaction' }, { timeout: 5000 });
  await screen.findByText('0 drafts');
  fireEvent.submit(button.closest('form') as HTMLFormElement);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});
