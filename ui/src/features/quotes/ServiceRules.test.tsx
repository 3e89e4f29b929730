import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';

import type { DocumentView, RuleRow } from '../../bindings/operations';
import { blankForm } from '../../workbench/quoteForm';
import { coreWrapper } from '../../testing';
import { AnswerDocuments } from './AnswerDocuments';
import { answer } from './answer.fixture';
import { ResultTable } from './ResultTable';
import { ServiceRuleLine, ServiceRules } from './ServiceRules';

const rules: RuleRow[] = [
  { field: 'sl_tax', title: 'Surplus Lines Tax', service: '5%', builtin: '3.5%', differs: true },
  { field: '', title: 'Rounding of taxes', service: 'none', builtin: null, differs: false },
];

function show(children: ReactNode) {
  render(children, { wrapper: coreWrapper(vi.fn<() => Promise<unknown>>()) });
}

test('what the service applies is beside the built-in rules, differences marked', () => {
  show(<ServiceRules rules={rules} />);
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows[1]).toBe('Surplus Lines Tax5%3.5%differs');
  expect(rows[2]).toBe('Rounding of taxesnonenot known');
});

test('the reason of a charge says which rate the service applies', async () => {
  show(<ResultTable answer={answer({ rules })} lines={1} />);
  expect(screen.queryByText(/The service says that it applies/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Surplus Lines Tax/ }));
  expect(screen.getByText(/The service says that it applies/).textContent).toContain(
    '5%; the built-in rules have 3.5%. differs',
  );
});

test('a rate that the built-in rules have too is said once', () => {
  show(<ServiceRuleLine rule={{ field: 'sl_tax', title: 'Tax', service: '3%', builtin: '3%', differs: false }} />);
  expect(screen.getByText(/The service says/).textContent).toBe(
    'The service says that it applies 3%, as do the built-in rules. ',
  );
});

function documentView(part: Partial<DocumentView>): DocumentView {
  return {
    key: part.name ?? '',
    name: '',
    code: 'MISC',
    group: '',
    note: null,
    required_for_binding: false,
    required_for_filing: true,
    keep_on_hand: false,
    include_with_policy: false,
    upload_required: false,
    signature: null,
    downloadable: false,
    include_in_diligent_effort: false,
    transaction_types: [],
    active_from: null,
    active_until: null,
    edited_at: null,
    conditions: [],
    left_out: null,
    ...part,
  };
}

test('documents that do not apply are counted, and shown with the reason on request', async () => {
  const documents = [
    documentView({
      name: 'Affidavit',
      upload_required: true,
      transaction_types: ['PN', 'PR'],
      active_from: '2026-01-01',
    }),
    documentView({
      name: 'Group form',
      conditions: ['For risk purchasing groups only'],
      left_out: 'For risk purchasing groups only',
    }),
  ];
  show(<AnswerDocuments answer={answer({ documents })} request={blankForm('2026-03-01')} />);
  expect(screen.getByText('for filing, must be uploaded, for PN, PR, since 01/01/2026')).toBeTruthy();
  expect(screen.queryByText('Group form')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show documents that don’t apply (1)' }));
  expect(screen.getByText('For risk purchasing groups only.')).toBeTruthy();
});
