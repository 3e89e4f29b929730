import type { FormDeclination, FormList, FormsRequest, FormView, KnownCarrier } from '../../../bindings/operations';

export const NO_DECLINATION: FormDeclination = { carrier: '', naic: '', contact: '', date: '', reason: '' };

export function blankRequest(today: string): FormsRequest {
  return {
    state: '',
    transaction_type: 'PN',
    policy_effective_date: today,
    ecp: false,
    export_list: false,
    keys: [],
    values: {},
    declinations: [],
    offline: false,
  };
}

/** Whether the same was typed: passing through a field changes nothing. */
export function isSameRequest(one: FormsRequest, other: FormsRequest): boolean {
  const typed = ({ values, ...rest }: FormsRequest) => [
    rest,
    Object.entries(values)
      .filter(([, value]) => value !== '')
      .toSorted(([a], [b]) => a.localeCompare(b)),
  ];
  return JSON.stringify(typed(one)) === JSON.stringify(typed(other));
}

/** What a quote or a transaction says, over what was typed: what it does not say stays. */
export function applyPrefill(typed: FormsRequest, prefill: FormsRequest): FormsRequest {
  return {
    ...typed,
    state: prefill.state || typed.state,
    transaction_type: prefill.transaction_type || typed.transaction_type,
    policy_effective_date: prefill.policy_effective_date || typed.policy_effective_date,
    ecp: prefill.ecp,
    export_list: prefill.export_list,
    keys: [],
    values: { ...typed.values, ...prefill.values },
  };
}

/** The rows shown: what was typed, at least as many as are asked for, and one to go on with. */
export function countShownRows(typed: readonly FormDeclination[], asked: number): number {
  return Math.min(50, Math.max(typed.length + 1, asked));
}

/** Changes one row; rows above it come into being, and empty ones at the end go. */
export function updateDeclination(
  typed: readonly FormDeclination[],
  at: number,
  change: Partial<FormDeclination>,
): FormDeclination[] {
  const rows = Array.from({ length: Math.max(typed.length, at + 1) }, (_, index) => typed[index] ?? NO_DECLINATION);
  rows[at] = { ...(rows[at] ?? NO_DECLINATION), ...change };
  while (rows.length > 0 && Object.values(rows[rows.length - 1] ?? NO_DECLINATION).every((text) => text.trim() === ''))
    rows.pop();
  return rows;
}

/** What is known of a carrier goes into the parts of its row that are still empty. */
export function fillFromKnownCarrier(row: FormDeclination, known: readonly KnownCarrier[]): Partial<FormDeclination> {
  const name = row.carrier.trim().toLowerCase();
  const found = known.filter((carrier) => carrier.carrier.toLowerCase() === name);
  if (found.length === 0 || name === '') return {};
  const last = (part: 'naic' | 'contact' | 'reason') => row[part] || (found.find((each) => each[part])?.[part] ?? '');
  return { naic: last('naic'), contact: last('contact'), reason: last('reason') };
}

/** The forms that are wanted. */
export function selectForms(offer: FormList | undefined, keys: readonly string[]): FormView[] {
  const forms = offer?.forms ?? [];
  return keys.length === 0 ? forms : forms.filter((form) => keys.includes(form.key));
}

export interface ShownSection {
  title: string;
  fields: FormView['sections'][number]['fields'];
}

/** Fields that are filled at the head of the view. */
const HEADER_FIELDS = new Set(['state', 'transaction_type', 'policy_effective_date']);

/** Every field of the forms once, under the first heading it has. */
export function mergeSections(forms: readonly FormView[]): ShownSection[] {
  const seen = new Map<string, { required: boolean }>();
  const shown: ShownSection[] = [];
  for (const section of forms.flatMap((form) => form.sections)) {
    const fields = section.fields.filter((field) => !HEADER_FIELDS.has(field.name));
    for (const field of fields) {
      const known = seen.get(field.name);
      if (known) {
        known.required ||= field.required;
        continue;
      }
      const kept = { ...field };
      seen.set(field.name, kept);
      const under = shown.find((each) => each.title === section.title);
      if (under) under.fields.push(kept);
      else shown.push({ title: section.title, fields: [kept] });
    }
  }
  return shown;
}
