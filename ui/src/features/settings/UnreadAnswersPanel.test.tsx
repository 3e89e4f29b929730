import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

import type { ReferenceData, StageEvidence, UnreadAnswers } from '../../bindings/operations';
import { Evidence } from '../../components/Evidence';
import { showWithAnswers } from '../../testing';
import { UnreadAnswersPanel } from './UnreadAnswersPanel';

const reference = { today: '2026-03-01', states: [], import_fields: [] } as unknown as ReferenceData;

const show = (content: ReactNode, answers: Record<string, unknown> = {}) =>
  showWithAnswers(content, reference, answers);

const LOST: UnreadAnswers = {
  profile: 'Office',
  answers: [
    {
      id: '7',
      at: '2026-03-01T12:00:00Z',
      times: 3,
      answer: {
        operation: 'search',
        status: 200,
        lost: 1,
        parts: [{ path: 'data[0].created_date', found: '{}', reason: 'a text is expected', is_record: false }],
        headers: [{ name: 'content-type', value: 'application/json' }],
        body: '{"data":[]}',
        body_bytes: 11,
      },
    },
  ],
} as unknown as UnreadAnswers;

test('a response that was not understood is shown with its parts and saved', async () => {
  const call = show(<UnreadAnswersPanel />, { unread_answers: LOST });
  const title = await screen.findByText(/search, status 200, 1 part not understood/);
  expect(title.textContent).toContain('3 times');
  expect(screen.getByText('data[0].created_date').parentElement?.textContent).toContain('a text is expected');
  expect(screen.getByLabelText('Body').textContent).toBe('{"data":[]}');
  await userEvent.click(screen.getByRole('button', { name: 'Save all' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('unread_answers_save', expect.objectContaining({ ids: [] })));
});

test('where everything was understood nothing is to be saved', async () => {
  show(<UnreadAnswersPanel />, { unread_answers: { profile: 'Office', answers: [] } });
  expect(await screen.findByText(/Every response so far was understood/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save all' }).getAttribute('aria-disabled')).toBe('true');
});

const EVIDENCE: StageEvidence[] = [
  { at: '2026-03-01T12:00:00Z', question: 'results of batch b-1', answer: 'id c1 is transaction 5, status 0' },
] as unknown as StageEvidence[];

test('why something is said: the stage, the question and its answer', async () => {
  show(<Evidence about="row 3" stage="processed" evidence={EVIDENCE} />);
  const why = await screen.findByText('Why?', { exact: false });
  expect(why.textContent).toContain('row 3');
  await userEvent.click(why);
  expect(screen.getByText('Processed by the service.')).toBeTruthy();
  expect(screen.getByText(/results of batch b-1: id c1 is transaction 5, status 0/)).toBeTruthy();
});

test('without evidence nothing is offered', async () => {
  show(<Evidence about="row 3" stage="unknown" evidence={[]} />);
  expect(screen.queryByText('Why?', { exact: false })).toBeNull();
});
