import { expect, test } from 'vitest';

import { matchScore, rankMatches } from './matchScore';

const CHOICES = [
  { code: 'AR', name: 'Arkansas' },
  { code: 'KS', name: 'Kansas' },
  { code: 'TN', name: 'Tennessee' },
  { code: 'TX', name: 'Texas' },
  { code: 'IN', name: 'Indiana' },
  { code: 'IL', name: 'Illinois' },
  { code: 'GEN-1002', name: 'Commercial general liability' },
  { code: 'GEN-1010', name: 'Commercial general liability products' },
  { code: 'GEN-1001', name: 'Commercial property (fire)' },
];

test.each([
  ['TX', 'TX'],
  ['tex', 'TX'],
  ['kansas', 'KS'],
  ['in', 'IN'],
  ['ill', 'IL'],
  ['general liab', 'GEN-1002'],
  ['liab prod', 'GEN-1010'],
  ['1002', 'GEN-1002'],
  ['gen-1010', 'GEN-1010'],
  ['fire', 'GEN-1001'],
])('%s finds %s first', (typed, code) => {
  expect(rankMatches(CHOICES, (choice) => matchScore(typed, choice.name, choice.code))[0]?.code).toBe(code);
});

test('nothing fits nonsense, everything fits nothing', () => {
  expect(rankMatches(CHOICES, (choice) => matchScore('zz', choice.name, choice.code))).toEqual([]);
  expect(rankMatches(CHOICES, (choice) => matchScore(' ', choice.name, choice.code))).toEqual(CHOICES);
});
