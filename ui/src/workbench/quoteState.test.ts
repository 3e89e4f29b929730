import { expect, test } from 'vitest';

import type { ReferenceData, StateInfo } from '../bindings/operations';
import { OperationError } from '../platform';
import {
  blankForm,
  buildQuoteRequest,
  explainInvalidPercent,
  findMissingFields,
  findRequestedDetails,
  findUnreadableFields,
  toFormPointer,
} from './quoteForm';
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

test('a quote that was replaced is put back as it was', () => {
  const before = { ...blankQuote(TODAY), form, saved: { id: 'q1', name: 'Mine', revision: '' } };
  const replaced = reduceQuote(before, { do: 'new', today: TODAY });
  expect(replaced.form.state).toBe('');
  const back = reduceQuote(replaced, { do: 'put back', quote: before });
  expect(back).toEqual({ ...before, generation: back.generation, nextRow: back.nextRow });
  expect(back.generation).toBeGreaterThan(replaced.generation);
  expect(back.nextRow).toBeGreaterThanOrEqual(replaced.nextRow);
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

test('what the service of another profile refused is gone with it', () => {
  const errors = findMissingFields(blankForm(TODAY));
  const problem = new OperationError('quote_calculate', {
    code: 'no_credentials',
    message: '',
    details: [],
    retryable: false,
  });
  const refused = reduceQuote(blankQuote(TODAY), { do: 'failed', problem, errors });
  expect(reduceQuote(refused, { do: 'profile changed' })).toMatchObject({ problem: null, errors: [] });
  const unasked = reduceQuote(blankQuote(TODAY), { do: 'failed', problem: null, errors });
  expect(reduceQuote(unasked, { do: 'profile changed' }).errors).toEqual(errors);
});

test('an opened quote has its premiums as a field shows them', () => {
  const request = { ...form, lines: [{ code: 'GEN-1002', premium: '9298.72' }] };
  const quote = { id: '', name: '', request, answer: null, saved_at: '', revision: '' };
  const opened = reduceQuote(blankQuote(TODAY), { do: 'open', quote, as: 'copy' });
  expect(opened.form.lines).toEqual([{ code: 'GEN-1002', premium: '9,298.72' }]);
});

test('removing the only line leaves an empty one, and rows keep their keys', () => {
  const two = reduceQuote(reduceQuote(blankQuote(TODAY), { do: 'add line' }), { do: 'add line' });
  const removed = reduceQuote(two, { do: 'remove line', at: 1 });
  expect(removed.rows).toEqual([0, 2]);
  const none = reduceQuote(blankQuote(TODAY), { do: 'remove line', at: 0 });
  expect(none.form.lines).toEqual([{ code: '', premium: '' }]);
});

const asking: StateInfo = {
  code: 'TX',
  name: 'Texas',
  asks_location: false,
  asks_commission: false,
  asks_admitted: false,
  asks_fee_charged_by: true,
  asks_occupancy_on: ['GEN-2000'],
  assessment_title: 'Fund assessment',
  asks_assessment_on: ['GEN-1006'],
  unsure: 0,
  municipalities: [],
};

test.each([
  ['a fee', { agency_fee: '$100' }, { charger: true, dwelling: false, assessment: null }],
  ['no fee', { agency_fee: '' }, { charger: false, dwelling: false, assessment: null }],
  ['a fee of zero', { agency_fee: '0.00' }, { charger: false, dwelling: false, assessment: null }],
  [
    'a line with a dwelling',
    { lines: [{ code: 'GEN-2000', premium: '' }] },
    { charger: false, dwelling: true, assessment: null },
  ],
  [
    'a line with an assessment',
    { lines: [{ code: 'GEN-1006', premium: '5' }] },
    { charger: false, dwelling: false, assessment: 'Fund assessment' },
  ],
])('%s decides what is asked', (_, change, expected) => {
  expect(findRequestedDetails({ ...form, ...change }, asking)).toEqual(expected);
  const silent = { ...asking, asks_fee_charged_by: false, asks_occupancy_on: [], asks_assessment_on: [] };
  expect(findRequestedDetails({ ...form, ...change }, silent)).toEqual({
    charger: false,
    dwelling: false,
    assessment: null,
  });
});

test('what is not asked is not sent, and the profile answers who charges the fee', () => {
  const reference = { states: [asking], transaction_types: [], fee_charged_by: 'retail_agent' };
  const sent = (change: Partial<typeof form>) => {
    const { fee_charged_by, occupancy, assessment_rate } = buildQuoteRequest(
      { ...form, occupancy: 'tenant', assessment_rate: '6', ...change },
      reference as unknown as ReferenceData,
    );
    return [fee_charged_by, occupancy, assessment_rate];
  };
  expect(sent({})).toEqual(['', '', '']);
  expect(sent({ agency_fee: '5' })).toEqual(['retail_agent', '', '']);
  expect(sent({ agency_fee: '5', fee_charged_by: 'surplus_lines_licensee' })).toEqual([
    'surplus_lines_licensee',
    '',
    '',
  ]);
  expect(sent({ lines: [{ code: 'GEN-2000', premium: '5' }] })).toEqual(['', 'tenant', '']);
  expect(sent({ lines: [{ code: 'GEN-1006', premium: '5' }] })).toEqual(['', '', '6']);
});

test.each(['', '6', ' 6.25 % ', '0.5', '100', '6.'])('%j is a percent', (typed) => {
  expect(explainInvalidPercent(typed)).toBeUndefined();
});

test.each(['six', '-1', '101', '6,5', '0.0000001', '%'])('%j is no percent', (typed) => {
  expect(explainInvalidPercent(typed)).toContain('isn’t a percentage');
});
