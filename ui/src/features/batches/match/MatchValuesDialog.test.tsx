import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { ReferenceData, ReviewView, ValueMatch } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import type { ReviewOperations } from '../review/useReviewOperations';
import { MatchValuesDialog } from './MatchValuesDialog';

const LINES = [
  { code: 'GEN-1002', name: 'General liability', class: '', trade_words: [] },
  { code: 'GEN-1006', name: 'Professional liability', class: '', trade_words: [] },
];
const reference = { today: '2026-03-01', states: [], transaction_types: [], lines: LINES, import_fields: [] };

function value(found: string, code: string | null): ValueMatch {
  const proposed = code === null ? null : { code, reason: `"${found}" usually means it.` };
  return { field: 'line_of_business_list', found, rows: 3, code: null, proposed } as ValueMatch;
}

test('all suggestions are used at once, and a word without one is left', async () => {
  const run = vi.fn<() => Promise<null>>(() => Promise.resolve(null));
  const values = [value('CGL', 'GEN-1002'), value('PROF', 'GEN-1006'), value('WIDGETS', null)];
  const review = { id: 'r1', stage: 'review', mapping: '', values } as unknown as ReviewView;
  showWithAnswers(
    <MatchValuesDialog review={review} work={{ run } as unknown as ReviewOperations} onClose={() => undefined} />,
    reference as unknown as ReferenceData,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Use 2 suggestions' }));
  expect(document.activeElement, 'it keeps its place').toBe(screen.getByRole('button', { name: 'Use suggestions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Match 6 rows' }));
  const given = [values[0], values[1]].map((each) => ({ ...each, code: each?.proposed?.code }));
  expect(run).toHaveBeenCalledWith('review_match', expect.objectContaining({ values: given }));
});
