import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { coreWrapper } from '../../testing';
import { answer, charge } from './answer.fixture';
import { EstimateDifferences, ResultTable, formatDifference } from './ResultTable';
import { buildChargeRows, buildFeesRow, buildResultTable } from './chargeRows';

const fire = {
  field: 'fm_tax',
  title: 'Fire Marshal Tax',
  plain_title: 'Fire Marshal Tax',
  amount: '9.00',
  idle: false,
};

test('two charges on one field are two rows when they add up to it', () => {
  const both = answer({
    fields: [
      { field: 'stamping_fee', title: 'Stamping Fee', plain_title: 'Stamping Fee', amount: '3.00', idle: false },
    ],
    charges: [
      charge({ field: 'stamping_fee', title: 'Stamping Fee', amount: '1.00' }),
      charge({ field: 'stamping_fee', title: 'SLIP+ fee', amount: '2.00' }),
    ],
  });
  expect(buildChargeRows(both).map((row) => [row.title, row.amount, row.estimate])).toEqual([
    ['Stamping Fee', '1.00', null],
    ['SLIP+ fee', '2.00', null],
  ]);
});

test('the amount is always the answer’s: a rule that says otherwise only explains', () => {
  const differs = answer({ fields: [fire], charges: [charge({ field: 'fm_tax', amount: '8.00' })] });
  expect(buildChargeRows(differs)).toMatchObject([{ amount: '9.00', estimate: '8.00' }]);
  const unknown = answer({ fields: [fire], charges: [] });
  expect(buildChargeRows(unknown)).toMatchObject([{ amount: '9.00', charge: null, estimate: null }]);
});

test('idle fields are omitted', () => {
  expect(buildChargeRows(answer({ fields: [{ ...fire, amount: '0.00', idle: true }], charges: [] }))).toEqual([]);
});

test.each([
  [false, false, 'not taxed in Illinois'],
  [true, true, 'taxed in Illinois'],
  [null, null, 'unknown if taxed in Illinois'],
  [true, false, 'broker taxed, carrier not taxed'],
])('fees taxed %s and %s: %s', (agency, inspection, tag) => {
  expect(buildFeesRow(answer({ agency_fee_taxed: agency, inspection_fee_taxed: inspection }))).toEqual({
    amount: '60.00',
    on: 'broker 50.00, carrier 10.00',
    tag,
  });
});

test('the copied table has plain signs', () => {
  const rows = buildResultTable(answer({ total: '-2958.00' }));
  expect(rows.at(-1)).toEqual(['Total to return', '', '', '-2,958.00']);
  const due = buildResultTable(answer({ total: '2958.00' }));
  expect(due.at(-1)).toEqual(['Total due', '', '', '2,958.00']);
});

test.each([
  ['1.00', '+1.00'],
  ['-1.00', '\u22121.00'],
  ['0.00', '0.00'],
])('a difference of %s is shown as %s', (difference, shown) => {
  expect(formatDifference(difference, '0', '0')).toBe(shown);
});

test('a difference shows both amounts and is never hidden', () => {
  const each = { field: 'fm_tax', title: 'Fire Marshal Tax', estimate: '8.00', service: '9.00', difference: '1.00' };
  render(<EstimateDifferences answer={answer({ differences: [each] })} />);
  const region = within(screen.getByRole('region', { name: /differences/i }));
  expect(region.getByRole('rowheader').textContent).toBe('Fire Marshal Tax');
  expect(region.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['8.00', '9.00', '+1.00']);
});

test('a charge explains itself in place', async () => {
  const answered = answer({ charges: [charge({ sureness: 'conflicting', checked: '0.65 % and 1 %' })] });
  const call = () => Promise.reject(new Error('not asked'));
  render(<ResultTable answer={answered} lines={2} />, { wrapper: coreWrapper(call) });
  expect(screen.getByText('sources conflict')).toBeTruthy();
  const button = screen.getByRole('button', { name: /surplus lines tax/i });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('2,800.00 × 3.5 % = 98.00')).toBeTruthy();
  expect(screen.getByText('0.65 % and 1 %')).toBeTruthy();
});
