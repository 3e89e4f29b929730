import type { ColumnMatch } from '../../bindings/operations';

/** A column on screen: which of a row's cells is its own. Columns behind those of the file have numbers of their own. */
export interface BordereauColumn extends ColumnMatch {
  cell: number;
}

/** The columns that are matched. */
export function findMatchedColumns(columns: ColumnMatch[]): BordereauColumn[] {
  return columns.map((column, cell) => ({ ...column, cell })).filter((column) => column.field !== null);
}

/** How the columns of a bordereau are shown: the contract's fields with a short title and their kind. */
type FieldKind = 'identifier' | 'text' | 'date' | 'amount' | 'flag' | 'code' | 'list' | 'shares' | 'percent';

interface FieldInfo {
  field: string;
  title: string;
  /** Heading of a column, short. */
  short: string;
  kind: FieldKind;
}

const LIST: [field: string, title: string, short: string, kind: FieldKind][] = [
  ['id', 'Transaction ID', 'ID', 'identifier'],
  ['agent_id', 'Agent ID', 'Agent', 'identifier'],
  ['policy_number', 'Policy number', 'Policy', 'identifier'],
  ['policy_effective_date', 'Policy effective date', 'Effective', 'date'],
  ['policy_expiration_date', 'Policy expiration date', 'Expires', 'date'],
  ['transaction_effective_date', 'Transaction effective date', 'Transaction', 'date'],
  ['expiring_policy_number', 'Expiring policy number', 'Expiring policy', 'identifier'],
  ['invoice_date', 'Invoice date', 'Invoiced', 'date'],
  ['invoice_number', 'Invoice number', 'Invoice', 'identifier'],
  ['transaction_type', 'Transaction type', 'Type', 'code'],
  ['policy_type', 'Policy type', 'Policy type', 'code'],
  ['account_written_as', 'Account written as', 'Written as', 'code'],
  ['rpg', 'Risk purchasing group', 'RPG', 'flag'],
  ['layered_risk', 'Layered risk', 'Layered', 'flag'],
  ['broker_of_record', 'Broker of record', 'Of record', 'flag'],
  ['risk_retention_group', 'Risk retention group', 'RRG', 'flag'],
  ['purchasing_group_name', 'Purchasing group name', 'Group', 'text'],
  ['risk_description', 'Risk description', 'Risk', 'text'],
  ['ecp', 'Exempt commercial purchaser', 'ECP', 'flag'],
  ['exempt', 'Tax exempt', 'Exempt', 'flag'],
  ['multi_state', 'Multi-state', 'Multi-state', 'flag'],
  ['policy_limit', 'Policy limit', 'Limit', 'amount'],
  ['property_limit', 'Property limit', 'Property limit', 'amount'],
  ['line_of_business_list', 'Lines of business', 'Line', 'list'],
  ['line_of_business_coverage', 'Premium of each line', 'Line premium', 'shares'],
  ['insurance_company_list', 'Insurers', 'Insurer', 'list'],
  ['insurance_company_coverage', 'Percent of each insurer', 'Insurer %', 'shares'],
  ['syndicate_list', 'Syndicates', 'Syndicate', 'list'],
  ['syndicate_coverage', 'Percent of each syndicate', 'Syndicate %', 'shares'],
  ['premium', 'Premium', 'Premium', 'amount'],
  ['agency_fee', 'Agency fee', 'Agency fee', 'amount'],
  ['inspection_fee', 'Inspection fee', 'Inspection', 'amount'],
  ['collection_fee', 'Collection fee', 'Collection', 'amount'],
  ['sl_tax', 'Surplus lines tax', 'SL tax', 'amount'],
  ['stamping_fee', 'Stamping fee', 'Stamping', 'amount'],
  ['sl_service_charge', 'Service charge', 'Service', 'amount'],
  ['municipal_fee', 'Municipal tax', 'Municipal', 'amount'],
  ['county_fee', 'County tax', 'County', 'amount'],
  ['fm_tax', 'Fire marshal tax', 'Fire marshal', 'amount'],
  ['empa_tax', 'EMPA', 'EMPA', 'amount'],
  ['total', 'Total', 'Total', 'amount'],
  ['commission_received', 'Commission received', 'Commission', 'flag'],
  ['mailing_insured_name', 'Insured', 'Insured', 'text'],
  ['mailing_address', 'Mailing address', 'Mailing address', 'text'],
  ['mailing_city', 'Mailing city', 'Mailing city', 'text'],
  ['mailing_zip_code', 'Mailing ZIP code', 'Mailing ZIP', 'identifier'],
  ['mailing_state_code', 'Mailing state', 'Mailing state', 'code'],
  ['insured_entity', 'Kind of insured', 'Kind', 'code'],
  ['insured_email', 'Insured’s email', 'Email', 'text'],
  ['insured_phone', 'Insured’s phone', 'Phone', 'identifier'],
  ['physical_address', 'Address of the risk', 'Address', 'text'],
  ['physical_city', 'City of the risk', 'City', 'text'],
  ['physical_zip_code', 'ZIP code of the risk', 'ZIP', 'identifier'],
  ['physical_state', 'State of the risk', 'State', 'code'],
  ['retail_producer', 'Retail producer', 'Producer', 'text'],
  ['documents', 'Documents', 'Documents', 'list'],
  ['agency_fee_charged_by', 'Agency fee charged by', 'Fee by', 'code'],
  ['occupancy', 'Dwelling', 'Dwelling', 'code'],
  ['assessment_rate', 'Assessment rate', 'Assessment', 'percent'],
];

export const FIELDS: FieldInfo[] = LIST.map(([field, title, short, kind]) => ({ field, title, short, kind }));

const BY_NAME = new Map(FIELDS.map((info) => [info.field, info]));

/** A field by its name in the contract; one that is newer than this list is shown by its name. */
export function findField(field: string): FieldInfo {
  return BY_NAME.get(field) ?? { field, title: field, short: field, kind: 'text' };
}

const WIDTHS: Record<FieldKind, number> = {
  identifier: 126,
  text: 150,
  date: 104,
  amount: 96,
  flag: 72,
  code: 92,
  list: 126,
  shares: 110,
  percent: 90,
};

const OWN_WIDTHS: Record<string, number> = {
  transaction_type: 56,
  physical_state: 50,
  mailing_state_code: 92,
  line_of_business_list: 110,
  stamping_fee: 84,
  sl_tax: 90,
  mailing_insured_name: 170,
  physical_zip_code: 76,
  mailing_zip_code: 88,
};

/** Pixels at usual size. */
export function defaultColumnWidth(field: string): number {
  return OWN_WIDTHS[field] ?? WIDTHS[findField(field).kind];
}

export function isNumericField(field: string): boolean {
  const { kind } = findField(field);
  return kind === 'amount' || kind === 'percent';
}
