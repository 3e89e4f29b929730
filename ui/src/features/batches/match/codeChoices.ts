import type { NamedCode, ReferenceData } from '../../../bindings/operations';

/** The codes of a field, where there is a list of them. */
export function codeChoices(field: string, reference: ReferenceData): NamedCode[] | null {
  switch (field) {
    case 'transaction_type':
      return reference.transaction_types;
    case 'line_of_business_list':
      return reference.lines;
    case 'physical_state':
    case 'mailing_state_code':
      return reference.states;
    case 'insured_entity':
      return reference.entity_types;
    case 'agency_fee_charged_by':
      return reference.fee_chargers;
    case 'occupancy':
      return reference.occupancies;
    case 'account_written_as':
      return [
        { code: 'B', name: 'Brokerage' },
        { code: 'DC', name: 'Direct client' },
      ];
    default:
      return null;
  }
}
