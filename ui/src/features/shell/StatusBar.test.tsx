import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { ReferenceData } from '../../bindings/operations';
import { ErrorBox } from '../../components';
import { OperationError } from '../../platform';
import { showWithAnswers } from '../../testing';
import { StatusBar } from './StatusBar';

const ended = new OperationError('status_show', {
  code: 'core_ended',
  message: 'Start it again, then open the address it prints.',
  details: [],
  retryable: true,
});

test('without a core nothing is said to be connected, and what to do is said', async () => {
  showWithAnswers(
    <>
      <StatusBar rulesChecked="2026-03-01" onRates={() => undefined} />
      <ErrorBox error={ended} />
    </>,
    {} as ReferenceData,
    { status_show: () => Promise.reject(ended) },
  );
  const footer = await screen.findByRole('contentinfo', {}, { timeout: 5000 });
  expect(await screen.findByText(/^Bordereau’s core has ended\. Start it again/)).toBeTruthy();
  expect(footer.textContent).not.toContain('connected');
  expect(document.body.textContent).not.toMatch(/report/i);
});
