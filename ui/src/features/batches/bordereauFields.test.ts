import { expect, test } from 'vitest';

import type { ReviewView } from '../../bindings/operations';
import {
  arrangeColumns,
  defaultColumnWidth,
  type BordereauColumn,
  errorFields,
  moveColumns,
  plainName,
  replaceNames,
} from './bordereauFields';

const USUAL = { widths: {}, order: [], hidden: [], frozen: 0, file_order: false, shows_blank: false };

const TITLES: Record<string, string> = { transactioneffectivedate: 'Effective date', sltax: 'Surplus lines tax' };

test.each([
  ['transaction_effective_date is missing.', 'Effective date is missing.'],
  ['Check sl_tax and policy_number.', 'Check Surplus lines tax and policy_number.'],
  ['Row 2, column Q "sl_tax": found "460.00".', 'Row 2, column Q "sl_tax": found "460.00".'],
  ['my_sl_tax stays as it is', 'my_sl_tax stays as it is'],
  ['SlTax and slTax differ from SL_TAX.', 'Surplus lines tax and Surplus lines tax differ from Surplus lines tax.'],
  ['McDonald LLC has no TransactionEffectiveDate', 'McDonald LLC has no Effective date'],
])('%s', (text, shown) => {
  expect(replaceNames(text, (name) => TITLES[plainName(name)])).toBe(shown);
});

const column = (field: string, cell: number, isBlank = false): BordereauColumn => ({
  field,
  cell,
  column: cell,
  letters: 'A',
  header: field,
  reason: 'name',
  examples: [],
  is_blank: isBlank,
  proposed: null,
});
const FILE = [
  column('agent_id', 0, true),
  column('invoice_number', 1),
  column('premium', 2),
  column('line_of_business_list', 3),
  column('physical_state', 4),
];
const fieldsOf = (columns: BordereauColumn[]) => columns.map(({ field }) => field);

test('columns that matter come first, those without a value only where they are wanted', () => {
  expect(fieldsOf(arrangeColumns(FILE, USUAL))).toEqual([
    'physical_state',
    'premium',
    'invoice_number',
    'line_of_business_list',
  ]);
  expect(arrangeColumns(FILE, { ...USUAL, file_order: true, shows_blank: true })).toEqual(FILE);
});

test('premium, tax and total stand before the other dates, and columns with errors before the rest', () => {
  const names = ['invoice_date', 'expiring_policy_number', 'policy_expiration_date', 'total', 'sl_tax', 'premium'];
  const columns = names.map((field, cell) => column(field, cell));
  const usual = ['premium', 'sl_tax', 'total', 'policy_expiration_date', 'invoice_date', 'expiring_policy_number'];
  expect(fieldsOf(arrangeColumns(columns, USUAL))).toEqual(usual);
  const groups = [
    { code: 'missing:expiring_policy_number', severity: 'error' },
    { code: 'missing_wanted:invoice_date', severity: 'warning' },
    { code: 'duplicate_id', severity: 'error' },
  ];
  const errors = errorFields({ groups } as unknown as ReviewView);
  expect(fieldsOf(arrangeColumns(columns, USUAL, errors))).toEqual([
    ...usual.slice(0, 4),
    'expiring_policy_number',
    'invoice_date',
  ]);
});

test.each([
  [50, 'physical_state', 'code', ['TX', 'FL']],
  [136, 'physical_state', 'code', ['TX', 'North Carolina']],
  [170, 'physical_state', 'code', ['Northern Mariana Islands']],
  [50, 'physical_state', 'code', []],
  [136, 'mailing_insured_name', 'text', ['A name that is longer than the column']],
] as const)('%d pixels for %s', (width, field, kind, examples) => {
  const described = { field, kind, title: '', short_title: '', chars_max: 0, example: '', choices: [] };
  expect(defaultColumnWidth(described, [...examples])).toBe(width);
});

test('columns that the person moved are first, hidden ones are gone', () => {
  const layout = { ...USUAL, order: ['invoice_number', 'premium'], hidden: ['physical_state'] };
  expect(fieldsOf(arrangeColumns(FILE, layout))).toEqual(['invoice_number', 'premium', 'line_of_business_list']);
});

test('columns land before the one that they are moved to', () => {
  const usual = fieldsOf(FILE);
  const [a, b, c, d] = usual;
  expect(moveColumns(FILE.slice(0, 4), 2, 1, 1)).toEqual([a, c, b, d]);
  expect(moveColumns(FILE.slice(0, 4), 0, 2, 4)).toEqual([c, d, a, b]);
  expect(moveColumns(FILE.slice(0, 4), 1, 1, 4)).toEqual([a, c, d, b]);
  expect(moveColumns(FILE, 0, 1, 0)).toEqual(usual);
});
