import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { ERRORS } from './errorTable';

test('the table has exactly the codes of the core, and that there is none', () => {
  const bindings = readFileSync('src/bindings/operations.ts', 'utf8');
  const declared = /export type ErrorCode = ([^;]+);/.exec(bindings)?.[1] ?? '';
  const codes = [...declared.matchAll(/"([a-z_]+)"/g)].map((found) => found[1]);
  expect(codes.length).toBeGreaterThan(10);
  expect(Object.keys(ERRORS).toSorted()).toEqual([...codes, 'core_ended'].toSorted());
});

test.each(Object.entries(ERRORS))('%s says what happened and what to do', (_, { title, text, action, actionKind }) => {
  expect(title.length).toBeGreaterThan(4);
  expect(text).toMatch(/\.$/);
  expect(action === '').toBe(actionKind === 'none');
});
