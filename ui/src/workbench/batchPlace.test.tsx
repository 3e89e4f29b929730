import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ReferenceData } from '../bindings/operations';
import { showWithAnswers } from '../testing';
import { BLANK_TRANSACTION, useBatchPlace } from './batchPlace';

function Start() {
  const { startReview } = useBatchPlace();
  return (
    <button type="button" onClick={() => startReview({ kind: 'transaction', ...BLANK_TRANSACTION })}>
      Start
    </button>
  );
}

test('a double click starts one transaction, and a later click another', async () => {
  const waiting: ((review: unknown) => void)[] = [];
  const call = showWithAnswers(<Start />, {} as ReferenceData, {
    review_start: () => new Promise((resolve) => waiting.push(resolve)),
  });
  const starts = () => call.mock.calls.filter(([operation]) => operation === 'review_start').length;
  const button = await screen.findByRole('button', { name: 'Start' }, { timeout: 5000 });
  await userEvent.dblClick(button);
  expect(starts()).toBe(1);
  waiting[0]?.({ stage: 'canceled', id: '' });
  await waitFor(async () => {
    await userEvent.click(button);
    expect(starts()).toBe(2);
  });
});
