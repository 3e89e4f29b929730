import { expect, test } from 'vitest';

import { blankForm, toFormPointer, findMissingFields, findUnreadableFields } from './quoteForm';
import { blankQuote, questionKey, reduceQuote } from './quoteState';

const TODAY = '2026-11-21';
const form = { ...blankForm(TODAY), state: 'TX', lines: [{ code: 'GEN-1002', premium: '$900' }] };

test('the same question typed differently is the same question', () => {
  const same = {
    ...form,
    lines: [
      { code: 'GEN-1002', premium: '900.00' },
      { code: '', premium: '' },
    ],
    insured: 'Lone Star',
  };
  expect(questionKey(same)).toBe(questionKey(form));
  expect(questionKey({ ...form, rpg: true })).not.toBe(questionKey(form));
});

test('what is missing is named at its field', () => {
  expect(findMissingFields(blankForm(TODAY)).map((error) => error.pointer)).toEqual(['/state', '/lines/0/code']);
  expect(findMissingFields(form)).toEqual([]);
  const half = { ...form, lines: [...form.lines, { code: '', premium: '5' }] };
  expect(findMissingFields(half).map((error) => error.pointer)).toEqual(['/lines/1/code']);
});

test('what cannot be read is named at its field', () => {
  const odd = {
    ...form,
    agency_fee: 'x',
    policy_effective: '2/30/2026',
    lines: [{ code: 'GEN-1002', premium: '1,2' }],
  };
  expect(findUnreadableFields(odd).map((error) => error.pointer)).toEqual([
    '/policy_effective',
    '/lines/0/premium',
    '/agency_fee',
  ]);
});

test('pointers of what was sent lead to the rows of the form', () => {
  const gap = { ...form, lines: [{ code: '', premium: '' }, ...form.lines] };
  expect(toFormPointer('/lines/0/premium', gap)).toBe('/lines/1/premium');
  expect(toFormPointer('/state', gap)).toBe('/state');
});

test('changing a field takes its error away and keeps the others', () => {
  const errors = findMissingFields(blankForm(TODAY));
  const failed = reduceQuote(blankQuote(TODAY), { do: 'failed', problem: null, errors });
  const edited = reduceQuote(failed, { do: 'edit', change: { state: 'TX' } });
  expect(edited.errors.map((error) => error.pointer)).toEqual(['/lines/0/code']);
});

test('removing the only line leaves an empty one, and rows keep their keys', () => {
  const two = reduceQuote(reduceQuote(blankQuote(TODAY), { do: 'add line' }), { do: 'add line' });
  const removed = reduceQuote(two, { do: 'remove line', at: 1 });
  expect(removed.rows).toEqual([0, 2]);
  const none = reduceQuote(blankQuote(TODAY), { do: 'remove line', at: 0 });
  expect(none.form.lines).toEqual([{ code: '', premium: '' }]);
});
