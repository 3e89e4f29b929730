import type { FieldError, QuoteRequest, ReferenceData, StateInfo } from '../bindings/operations';
import { explainInvalidDate, isDate, parseAmount } from '../values';

/** What the two fees are called in the form and in a comparison. */
export const FEE_LABELS = { agency_fee: 'Broker or agency fee', inspection_fee: 'Carrier or inspection fee' };

export function blankForm(today: string): QuoteRequest {
  return {
    state: '',
    transaction_type: 'PN',
    lines: [{ code: '', premium: '' }],
    agency_fee: '',
    inspection_fee: '',
    policy_effective: today,
    transaction_effective: '',
    entity: 'commercial',
    rpg: false,
    ecp: false,
    tax_exempt: false,
    export_list: false,
    commission_received: false,
    admitted: false,
    written_as: '',
    address: '',
    city: '',
    zip: '',
    municipality: '',
    fee_charged_by: '',
    occupancy: '',
    assessment_rate: '',
    insured: '',
    sheet: {
      insured_address: '',
      carrier: '',
      quote_number: '',
      policy_expires: '',
      valid_until: '',
      subject_to: '',
      minimum_earned: '',
      installments: '',
      down_payment: '',
      taxes_first: false,
      installment_fee: '',
      first_installment: '',
      template: '',
    },
  };
}

/** Lines with any input; an empty last row of the table is not one. */
export function filledLines(form: QuoteRequest) {
  return form.lines.filter((line) => line.code !== '' || line.premium.trim() !== '');
}

/** What few states also ask: who charges a fee that is not zero, and for certain lines the dwelling and an assessment. */
export function findRequestedDetails(form: QuoteRequest, state: StateInfo | undefined) {
  const fee = parseAmount(form.agency_fee);
  const has = (codes: string[] | undefined) => form.lines.some((line) => codes?.includes(line.code) ?? false);
  return {
    charger: (state?.asks_fee_charged_by ?? false) && fee.ok && /[1-9]/.test(fee.amount),
    dwelling: has(state?.asks_occupancy_on),
    /** Its title, or null. */
    assessment: has(state?.asks_assessment_on) ? (state?.assessment_title ?? null) : null,
  };
}

/** What is sent: without empty rows, and without what the state and transaction chosen do not ask. */
export function buildQuoteRequest(form: QuoteRequest, reference: ReferenceData): QuoteRequest {
  const state = reference.states.find((each) => each.code === form.state);
  const type = reference.transaction_types.find((each) => each.code === form.transaction_type);
  const place = state?.asks_location ?? false;
  const asked = findRequestedDetails(form, state);
  return {
    ...form,
    lines: filledLines(form),
    transaction_effective: type?.needs_transaction_date ? form.transaction_effective : '',
    commission_received: (state?.asks_commission ?? false) && form.commission_received,
    admitted: (state?.asks_admitted ?? false) && form.admitted,
    address: place ? form.address : '',
    city: place ? form.city : '',
    zip: place ? form.zip : '',
    municipality: place ? form.municipality : '',
    fee_charged_by: asked.charger ? form.fee_charged_by || reference.fee_charged_by : '',
    occupancy: asked.dwelling ? form.occupancy : '',
    assessment_rate: asked.assessment === null ? '' : form.assessment_rate,
  };
}

/** The pointer of a line in what was sent, as the pointer of its row in the form. */
export function toFormPointer(pointer: string, form: QuoteRequest): string {
  const found = /^\/lines\/(\d+)(.*)$/.exec(pointer);
  if (!found) return pointer;
  const line = filledLines(form)[Number(found[1])];
  const row = line ? form.lines.indexOf(line) : 0;
  return `/lines/${row}${found[2] || '/code'}`;
}

/** Why a percent cannot be read; the core does it in `Rate::parse_percent`. */
export function explainInvalidPercent(typed: string): string | undefined {
  const shown = typed.trim();
  if (shown === '' || /^(?:100(?:\.0*)?|\d{1,2}(?:\.\d{0,6})?)\s*%?$/.test(shown)) return undefined;
  return `“${shown.slice(0, 40)}” isn’t a percentage. Enter a number from 0 to 100, e.g. 6 or 6.25.`;
}

function checkAmount(pointer: string, typed: string): FieldError[] {
  const read = parseAmount(typed);
  return read.ok ? [] : [{ pointer, message: read.message }];
}

/** What cannot be read, by field: shown after the field is left. */
export function findUnreadableFields(form: QuoteRequest): FieldError[] {
  const fees = (['agency_fee', 'inspection_fee'] as const).flatMap((fee) =>
    form[fee].trim() === '' ? [] : checkAmount(`/${fee}`, form[fee]),
  );
  const dates = (['policy_effective', 'transaction_effective'] as const).flatMap((date) =>
    form[date] === '' || isDate(form[date]) ? [] : [{ pointer: `/${date}`, message: explainInvalidDate(form[date]) }],
  );
  const premiums = form.lines.flatMap((line, at) =>
    line.premium.trim() === '' ? [] : checkAmount(`/lines/${at}/premium`, line.premium),
  );
  return [...dates, ...premiums, ...fees];
}

/** What is missing before the taxes can be worked out. */
export function findMissingFields(form: QuoteRequest): FieldError[] {
  const errors: FieldError[] = [];
  if (form.state === '') errors.push({ pointer: '/state', message: 'Choose the state of the risk by name or code.' });
  if (form.transaction_type === '')
    errors.push({ pointer: '/transaction_type', message: 'Choose the transaction type.' });
  const filled = filledLines(form);
  if (filled.length === 0) {
    errors.push({ pointer: '/lines/0/code', message: 'Choose a line of business by name or code.' });
  }
  for (const line of filled) {
    const row = form.lines.indexOf(line);
    if (line.code === '') errors.push({ pointer: `/lines/${row}/code`, message: 'Choose the line for this premium.' });
    if (line.premium.trim() === '')
      errors.push({ pointer: `/lines/${row}/premium`, message: 'Enter the premium for this line.' });
  }
  return errors;
}
