/** The form of one transaction: which columns of the template belong together. */

interface TransactionSection {
  title: string;
  fields: readonly string[];
}

export const POLICY_FIELDS: TransactionSection = {
  title: 'Policy',
  fields: [
    'physical_state',
    'transaction_type',
    'policy_number',
    'expiring_policy_number',
    'policy_effective_date',
    'policy_expiration_date',
    'transaction_effective_date',
    'invoice_number',
    'invoice_date',
    'account_written_as',
  ],
};

export const INSURED_FIELDS: TransactionSection = {
  title: 'Insured and risk',
  fields: [
    'mailing_insured_name',
    'insured_entity',
    'mailing_address',
    'mailing_city',
    'mailing_state_code',
    'mailing_zip_code',
    'insured_email',
    'insured_phone',
    'risk_description',
    'physical_address',
    'physical_city',
    'physical_zip_code',
  ],
};

export const AMOUNT_FIELDS: readonly string[] = [
  'premium',
  'agency_fee',
  'inspection_fee',
  'sl_tax',
  'stamping_fee',
  'sl_service_charge',
  'municipal_fee',
  'county_fee',
  'fm_tax',
  'empa_tax',
  'collection_fee',
  'total',
];

/** Pairs of lists: codes and their amounts or percentages. */
export const SHARE_LISTS = [
  {
    codes: 'line_of_business_list',
    shares: 'line_of_business_coverage',
    title: 'Lines of business',
    one: 'Line',
    share: 'Premium',
    add: 'Add line',
  },
  {
    codes: 'insurance_company_list',
    shares: 'insurance_company_coverage',
    title: 'Insurers',
    one: 'NAIC or alien number',
    share: 'Percent',
    add: 'Add insurer',
  },
  {
    codes: 'syndicate_list',
    shares: 'syndicate_coverage',
    title: 'Syndicates',
    one: 'Syndicate',
    share: 'Percent',
    add: 'Add syndicate',
  },
] as const;

const PLACED = new Set<string>([
  ...POLICY_FIELDS.fields,
  ...INSURED_FIELDS.fields,
  ...AMOUNT_FIELDS,
  ...SHARE_LISTS.flatMap(({ codes, shares }) => [codes, shares]),
]);

/** Every other column: folded away until somebody needs it. */
export const isOtherField = (field: string): boolean => !PLACED.has(field);

export interface SharePart {
  code: string;
  share: string;
}

const SEPARATOR = ' | ';
const split = (text: string): string[] => (text.trim() === '' ? [] : text.split('|').map((part) => part.trim()));

/** `GEN-1002 | GEN-1004` with `1000 | 250` as rows; there is always one to type in. */
export function readShares(codes: string, shares: string): SharePart[] {
  const [left, right] = [split(codes), split(shares)];
  const rows = Array.from({ length: Math.max(left.length, right.length, 1) }, (_, at) => ({
    code: left[at] ?? '',
    share: right[at] ?? '',
  }));
  return rows;
}

/** The rows as the two cells; empty rows are none. */
export function writeShares(rows: readonly SharePart[]): { codes: string; shares: string } {
  const filled = rows.filter((row) => row.code.trim() !== '' || row.share.trim() !== '');
  const join = (texts: string[]) => (texts.every((text) => text === '') ? '' : texts.join(SEPARATOR));
  return {
    codes: join(filled.map((row) => row.code.trim())),
    // A comma parts thousands here, and nothing else.
    shares: join(filled.map((row) => row.share.trim().replaceAll(',', ''))),
  };
}
