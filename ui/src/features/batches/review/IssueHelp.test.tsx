import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ReferenceData } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { IssueHelp } from './IssueHelp';
import { findIssueEntry } from './issueCatalog';

const reference = {
  import_fields: [{ field: 'policy_expiration_date', title: 'Policy expires' }],
} as unknown as ReferenceData;

test('a problem is explained from the catalog', async () => {
  showWithAnswers(<IssueHelp code="date_serial" />, reference, {});
  await userEvent.click(await screen.findByRole('button', { name: 'What is this?' }));
  expect(await screen.findByRole('heading', { name: 'A date shown as a number' })).toBeTruthy();
  expect(screen.getByText(/^A warning: the row can be sent as it is/)).toBeTruthy();
  expect(screen.getByText(/a spreadsheet’s day|a spreadsheet's day/)).toBeTruthy();
});

test('a code of a later version has no entry', () => {
  expect(findIssueEntry('of_a_later_version')).toBeNull();
  expect(findIssueEntry('tax_differs')).toMatchObject({ severity: 'warning' });
});
