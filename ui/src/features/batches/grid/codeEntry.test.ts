import { expect, test } from 'vitest';

import { findTypedCode, replaceLastEntry, splitLastEntry } from './codeEntry';

const STATES = [
  { code: 'TX', name: 'Texas' },
  { code: 'IN', name: 'Indiana' },
];

test.each([
  ['TX', 'TX'],
  [' tx ', 'TX'],
  ['texas', 'TX'],
  ['tex', undefined],
  ['', undefined],
])('%j is the code %j: a part of a name is never taken for it', (text, code) => {
  expect(findTypedCode(text, STATES)).toBe(code);
});

test.each([
  ['GEN-1002', 'GEN-1002', 'GEN-2000'],
  ['GEN-1002 | fi', 'fi', 'GEN-1002 | GEN-2000'],
  ['GEN-1002|', '', 'GEN-1002 | GEN-2000'],
  ['', '', 'GEN-2000'],
])('of %j the last code is %j', (text, last, replaced) => {
  expect(splitLastEntry(text)).toBe(last);
  expect(replaceLastEntry(text, 'GEN-2000')).toBe(replaced);
});
