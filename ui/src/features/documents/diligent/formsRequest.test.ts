import { describe, expect, test } from 'vitest';

import type { FormView } from '../../../bindings/operations';
import {
  applyPrefill,
  updateDeclination,
  blankRequest,
  fillFromKnownCarrier,
  NO_DECLINATION,
  countShownRows,
  isSameRequest,
  mergeSections,
} from './formsRequest';

const row = (carrier: string) => ({ ...NO_DECLINATION, carrier });

describe('declinations', () => {
  test('rows come into being when they are typed into, and go when they are emptied', () => {
    const typed = updateDeclination([], 2, { carrier: 'Third' });
    expect(typed.map((each) => each.carrier)).toEqual(['', '', 'Third']);
    expect(updateDeclination(typed, 2, { carrier: ' ' })).toEqual([]);
    expect(updateDeclination([row('a'), row('b')], 0, { carrier: '' })).toHaveLength(2);
  });

  test('as many rows as are asked for, and one more than typed', () => {
    expect(countShownRows([], 3)).toBe(3);
    expect(countShownRows([row('a'), row('b'), row('c')], 3)).toBe(4);
    expect(
      countShownRows(
        Array.from({ length: 60 }, () => row('a')),
        3,
      ),
    ).toBe(50);
  });

  test('a known carrier fills only what is empty', () => {
    const known = [{ carrier: 'One Insurance', naic: '10001', contact: 'A', reason: 'Class' }];
    expect(fillFromKnownCarrier({ ...row('one insurance'), contact: 'B' }, known)).toEqual({
      naic: '10001',
      contact: 'B',
      reason: 'Class',
    });
    expect(fillFromKnownCarrier(row('Other'), known)).toEqual({});
    const newer = { carrier: 'One Insurance', naic: '10001', contact: '', reason: 'Limits' };
    const expected = { naic: '10001', contact: 'A', reason: 'Limits' };
    expect(fillFromKnownCarrier(row('One Insurance'), [newer, ...known])).toEqual(expected);
  });
});

test('a quote goes over what was typed and leaves the rest', () => {
  const typed = { ...blankRequest('2026-02-23'), values: { producer_name: 'P', insured_name: 'Old' } };
  const quote = { ...blankRequest(''), state: 'TX', values: { insured_name: 'New' } };
  const found = applyPrefill(typed, quote);
  expect(found.state).toBe('TX');
  expect(found.policy_effective_date).toBe('2026-02-23');
  expect(found.values).toEqual({ producer_name: 'P', insured_name: 'New' });
});

test('a field of two forms is shown once, and required where one form requires it', () => {
  const form = (required: boolean): FormView =>
    ({
      sections: [
        {
          title: 'Insured',
          text: [],
          kind: 'fields',
          fields: [
            { name: 'state', label: 'State', kind: 'state', required: true, half: true },
            { name: 'insured_name', label: 'Named insured', kind: 'text', required, half: false },
          ],
        },
      ],
    }) as unknown as FormView;
  const shown = mergeSections([form(false), form(true)]);
  expect(shown).toHaveLength(1);
  expect(shown[0]?.fields.map((field) => [field.name, field.required])).toEqual([['insured_name', true]]);
});

test('passing through a field changes nothing, typing does', () => {
  const filled = { ...blankRequest('2026-02-23'), values: { insured_name: 'One LLC', limits: '' } };
  expect(isSameRequest(filled, { ...filled, declinations: [], values: { insured_name: 'One LLC' } })).toBe(true);
  expect(isSameRequest(filled, { ...filled, values: { insured_name: 'Two LLC' } })).toBe(false);
  expect(isSameRequest(filled, { ...filled, declinations: [row('a')] })).toBe(false);
});
