import { expect, test } from 'vitest';

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
])('%s finds %s first', (query, title) => {
  expect(searchEntries(all, query)[0]?.title).toBe(title);
});

test('nothing fits nonsense, and the palette does not offer itself', () => {
  expect(searchEntries(all, 'zzqq')).toEqual([]);
  expect(all.some((entry) => entry.id.includes('shell.palette'))).toBe(false);
});
