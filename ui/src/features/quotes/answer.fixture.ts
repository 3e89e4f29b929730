import type { ChargeView, QuoteAnswer } from '../../bindings/operations';

/** An Illinois answer for the tests of this folder. */
export function charge(part: Partial<ChargeView> = {}): ChargeView {
  return {
    field: 'sl_tax',
    kind: 'tax',
    title: 'Surplus Lines Tax',
    on: 'premium $2,800.00',
    rate: '3.5 %',
    amount: '98.00',
    explanation: '2,800.00 × 3.5 % = 98.00',
    from: '2003-07-01',
    until: null,
    dated_by: 'the policy’s effective date',
    lines: [],
    sources: [],
    sureness: 'confirmed',
    checked: '',
    note: null,
    ...part,
  };
}

export function answer(part: Partial<QuoteAnswer> = {}): QuoteAnswer {
  return {
    by: 'service',
    at: '2026-11-21T10:42:07Z',
    profile: 'Practice',
    state: 'IL',
    state_name: 'Illinois',
    transaction_type: 'PN',
    premium: '2800.00',
    agency_fee: '50.00',
    inspection_fee: '10.00',
    agency_fee_taxed: false,
    inspection_fee_taxed: false,
    details: { fee_charged_by: '', occupancy: '', assessment_rate: '' },
    fields: [
      { field: 'sl_tax', title: 'Surplus Lines Tax', plain_title: 'Surplus Lines Tax', amount: '98.00', idle: false },
    ],
    taxes: '98.00',
    total: '2958.00',
    missing_amounts: [],
    charges: [charge()],
    differences: [],
    rules: [],
    notes: [],
    stamps: [],
    documents: [],
    took_ms: 4,
    answer_id: 'a',
    rules_version: '2026-11-22.34',
    rules_from_pack: false,
    ...part,
  };
}
