import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { FilterChips } from './FilterChips';

const COUNTS = { rows: 5, transactions: 5, ready: 0, errors: 5, sent: 4, warnings: 0, changed: 0, excluded: 0 };

const words = () => screen.getAllByRole('button').map((button) => button.textContent?.trim());

test('rows that were sent are no errors, and have a place of their own', () => {
  const { rerender } = render(<FilterChips counts={COUNTS} filter="all" onFilter={() => undefined} />);
  expect(words()).toEqual(['All 5', 'Ready 0', '▲ Errors 1', '● Warnings 0', 'Sent 4', 'Changed 0', 'Excluded 0']);
  rerender(<FilterChips counts={{ ...COUNTS, sent: 0 }} filter="all" onFilter={() => undefined} />);
  expect(words()).not.toContain('Sent 0');
});
