import { expect, test } from 'vitest';

import { replaceNames } from './bordereauFields';

const TITLES: Record<string, string> = { transaction_effective_date: 'Effective date', sl_tax: 'Surplus lines tax' };

test.each([
  ['transaction_effective_date is missing.', 'Effective date is missing.'],
  ['Check sl_tax and policy_number.', 'Check Surplus lines tax and policy_number.'],
  ['Row 2, column Q "sl_tax": found "460.00".', 'Row 2, column Q "sl_tax": found "460.00".'],
  ['my_sl_tax stays as it is', 'my_sl_tax stays as it is'],
])('%s', (text, shown) => {
  expect(replaceNames(text, (name) => TITLES[name])).toBe(shown);
});
