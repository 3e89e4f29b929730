import { expect, test } from 'vitest';

import type { BatchView } from '../../bindings/operations';
import { buildEntries, searchEntries } from './paletteEntries';

const nothing = () => undefined;
const all = buildEntries({
  actions: [
    { id: 'shell.palette', title: 'Find', group: 'Go', run: nothing },
    { id: 'view.compare', title: 'Compare states', group: 'Go', keys: 'Mod+2', run: nothing },
    { id: 'theme.dark', title: 'Dark theme', group: 'Appearance', run: nothing },
  ],
  states: ['Texas TX', 'Tennessee TN', 'New Mexico NM'].map((each) => ({
    code: each.slice(-2),
    name: each.slice(0, -3),
    asks_location: false,
    asks_commission: false,
    asks_admitted: false,
    asks_fee_charged_by: false,
    asks_occupancy_on: [],
    assessment_title: null,
    asks_assessment_on: [],
    unsure: 0,
    municipalities: [],
  })),
  quotes: [
    { id: '7', name: 'Lone Star Roofing', saved: true, state: 'TX', transaction_type: 'PN', total: '10563.91', at: '' },
  ],
  profiles: [],
  today: '2026-11-21',
  drafts: [{ id: '4', name: 'two.csv', rows: 2, errors: 0, stored_at: '', excluded: false, assigned: null }],
  batches: [{ id: '5', name: 'december.xlsx', created_at: '2026-11-20T10:00:00Z' } as BatchView],
  openDraft: nothing,
  openBatch: nothing,
  quoteFor: nothing,
  open: nothing,
  use: nothing,
});

test.each([
  ['tx', 'Lone Star Roofing'],
  ['for texas', 'Quote for Texas'],
  ['texas', 'Lone Star Roofing'],
  ['nm', 'Quote for New Mexico'],
  ['cmp', 'Compare states'],
  ['dark', 'Dark theme'],
  ['quote tenn', 'Quote for Tennessee'],
  ['lone', 'Lone Star Roofing'],
  ['two.csv', 'two.csv'],
  ['december', 'december.xlsx'],
])('%s finds %s first', (query, title) => {
  expect(searchEntries(all, query)[0]?.title).toBe(title);
});

test('transactions that the core found are listed, whatever they were found by', () => {
  const found = [{ id: 'transaction 12', group: 'Transactions', title: '0000018, Insured No. 18', run: nothing }];
  expect(searchEntries(all, '0000018', found).map((entry) => entry.title)).toEqual(['0000018, Insured No. 18']);
  expect(searchEntries(all, 'texas', found).map((entry) => entry.id)).toEqual([
    'quote 7',
    'state TX',
    'transaction 12',
  ]);
});

test('digits are not found scattered over amounts and dates', () => {
  const quote = { id: 'quote 8', group: 'Recent quotes', title: 'TX PN 11/26/2026', run: nothing };
  expect(searchEntries([quote], '1260')).toEqual([]);
  expect(searchEntries([quote], '11/26')).toEqual([quote]);
});

test('nothing fits nonsense, and the palette does not offer itself', () => {
  expect(searchEntries(all, 'zzqq')).toEqual([]);
  expect(all.some((entry) => entry.id.includes('shell.palette'))).toBe(false);
});
