import type { FieldError, QuoteRequest, ReferenceData } from '../bindings/operations';
import { parseAmount } from '../values/amount';
import { isDate, explainInvalidDate } from '../values/date';

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
    insured: '',
  };
}

/** Lines that say something; an empty last row of the table is no line. */
export function filledLines(form: QuoteRequest) {
  return form.lines.filter((line) => line.code !== '' || line.premium.trim() !== '');
}

/** What is sent: without empty rows, and without what the state and transaction chosen do not ask. */
export function buildQuoteRequest(form: QuoteRequest, reference: ReferenceData): QuoteRequest {
  const state = reference.states.find((each) => each.code === form.state);
  const type = reference.transaction_types.find((each) => each.code === form.transaction_type);
  const place = state?.asks_location ?? false;
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

function checkAmount(pointer: string, typed: string): FieldError[] {
  const read = parseAmount(typed);
  return read.ok ? [] : [{ pointer, message: read.message }];
}

/** What cannot be read as it stands, by field: shown while typing, after leaving the field. */
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
