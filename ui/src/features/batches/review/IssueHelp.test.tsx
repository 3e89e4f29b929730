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

test('the trade’s words of a problem are explained beside it', async () => {
  showWithAnswers(<IssueHelp code="insurer_unnumbered" />, reference, {});
  await userEvent.click(await screen.findByRole('button', { name: 'What is this?' }));
  expect(await screen.findByRole('heading', { name: 'Words' })).toBeTruthy();
  expect(screen.getByText('NAIC number', { selector: 'dt', exact: false }).nextSibling?.textContent).toMatch(
    /five digits/,
  );
});

test('a code of a later version has no entry', () => {
  expect(findIssueEntry('of_a_later_version')).toBeNull();
  expect(findIssueEntry('tax_differs')).toMatchObject({ severity: 'warning' });
});
