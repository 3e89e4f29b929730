import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { FixOutcome, IssueGroupView, ReferenceData, ReviewView } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { GroupFixDialog } from './GroupFixDialog';
import { IssueGroups } from './IssueGroups';

const reference = {
  states: [],
  import_fields: [
    {
      field: 'invoice_date',
      title: 'Invoice date',
      short_title: 'Invoiced',
      kind: 'date',
      example: '02/25/2026',
      choices: [],
    },
  ],
} as unknown as ReferenceData;

const group = (part: Partial<IssueGroupView>): IssueGroupView =>
  ({
    code: 'date_unreadable:invoice_date',
    title: 'A date that cannot be read',
    headline: '2 rows have values for invoice date that cannot be read',
    severity: 'error',
    rows: 2,
    examples: [],
    summary: '',
    first_row: 1,
    first_column: 1,
    fix: null,
    fix_label: null,
    ...part,
  }) as IssueGroupView;

function showGroups(groups: IssueGroupView[]) {
  const act = { onMatch: vi.fn<() => void>(), onAttach: vi.fn<() => void>(), onFix: vi.fn<() => void>() };
  const rest = { onChoose: () => undefined, onOnly: () => undefined, onKeep: () => undefined };
  showWithAnswers(
    <IssueGroups groups={groups} chosen="" only={false} unmatched={false} {...act} {...rest} />,
    reference,
    {},
  );
  return act;
}

test('each card shows its examples and its way to a repair', async () => {
  const act = showGroups([
    group({
      examples: ['Row 4: "TBD"', 'Row 9: "02/30/2026"'],
      fix: 'set_value',
      fix_label: 'Set one value in 2 rows',
    }),
    group({ code: 'date_order_open', headline: '3 rows could be mm/dd or dd/mm' }),
    group({ code: 'document_missing', headline: '1 row lacks a document' }),
  ]);
  expect(await screen.findByText('Row 4: "TBD"')).toBeTruthy();
  expect(screen.getByText('Row 9: "02/30/2026"')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Set one value in 2 rows…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Choose mm/dd or dd/mm…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Attach documents…' }));
  for (const called of Object.values(act)) expect(called).toHaveBeenCalledTimes(1);
});

test('one value is shown in all rows before it is set', async () => {
  const outcome = {
    total: 2,
    changes: [{ line: 4, header: 'Invoice date', before: 'TBD', after: '03/01/2026' }],
    review: { id: 'r1' } as ReviewView,
  } as FixOutcome;
  const onDone = vi.fn<(review: ReviewView) => void>();
  showWithAnswers(
    <GroupFixDialog
      id="r1"
      seenChanges={0}
      title="A date that cannot be read"
      code="date_unreadable:invoice_date"
      fix="set_value"
      label="Set one value in 2 rows"
      onDone={onDone}
      onClose={() => undefined}
    />,
    reference,
    { review_fix: outcome },
  );
  await userEvent.type(await screen.findByRole('textbox', { name: 'Value' }), '3/1/2026');
  expect(screen.queryByText('TBD')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Show the changes/ }));
  expect(await screen.findByText('TBD')).toBeTruthy();
  expect(onDone).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: /^Apply 2 changes/ }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
});
