import { expect, test } from 'vitest';

import { matchScore, rankMatches } from './matchScore';

const CHOICES: { code: string; name: string; words?: string[] }[] = [
  { code: 'AR', name: 'Arkansas' },
  { code: 'KS', name: 'Kansas' },
  { code: 'TN', name: 'Tennessee' },
  { code: 'TX', name: 'Texas' },
  { code: 'IN', name: 'Indiana' },
  { code: 'IL', name: 'Illinois' },
  { code: 'GEN-1002', name: 'Commercial general liability', words: ['cgl', 'general liability', 'gl'] },
  { code: 'GEN-1013', name: 'Directors and officers liability', words: ['d and o', 'do'] },
  { code: 'GEN-1009', name: 'General liability: owners and contractors' },
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
  ['GL', 'GEN-1002'],
  ['cgl', 'GEN-1002'],
  ['General Liability', 'GEN-1002'],
  ['general liability: own', 'GEN-1009'],
  ['D&O', 'GEN-1013'],
  ['d & o', 'GEN-1013'],
  ['liab prod', 'GEN-1010'],
  ['1002', 'GEN-1002'],
  ['gen-1010', 'GEN-1010'],
  ['fire', 'GEN-1001'],
])('%s finds %s first', (typed, code) => {
  expect(rankMatches(CHOICES, (choice) => matchScore(typed, choice.name, choice.code, choice.words))[0]?.code).toBe(
    code,
  );
});

test('nothing fits nonsense, everything fits nothing', () => {
  expect(rankMatches(CHOICES, (choice) => matchScore('zz', choice.name, choice.code))).toEqual([]);
  expect(rankMatches(CHOICES, (choice) => matchScore(' ', choice.name, choice.code))).toEqual(CHOICES);
});
