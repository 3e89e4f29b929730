import { useMemo } from 'react';

import type { ColumnMatch, GridLayout, ImportField, ReviewView } from '../../bindings/operations';
import { useReferenceData } from '../../operations';

/** A column on screen: which of a row's cells is its own. Columns behind those of the file have numbers of their own. */
export interface BordereauColumn extends ColumnMatch {
  cell: number;
}

/** The columns that are matched. */
export function findMatchedColumns(columns: ColumnMatch[]): BordereauColumn[] {
  return columns.map((column, cell) => ({ ...column, cell })).filter((column) => column.field !== null);
}

/**
 * What a person looks at first, in this order; the others follow as in the file. Premium, tax and total are in sight at
 * 1280 pixels.
 */
const FIRST_FIELDS = [
  'physical_state',
  'transaction_type',
  'mailing_insured_name',
  'policy_number',
  'policy_effective_date',
  'premium',
  'sl_tax',
  'total',
  'policy_expiration_date',
  'transaction_effective_date',
  'stamping_fee',
  'sl_service_charge',
  'municipal_fee',
  'county_fee',
  'fm_tax',
  'empa_tax',
  'agency_fee',
  'inspection_fee',
  'collection_fee',
];

/** The columns that matter first and then those with `errors`, as in the file, or as the person moved them; those without
 * a value in any row only where they are wanted, hidden ones not at all. */
export function arrangeColumns(
  columns: BordereauColumn[],
  layout: GridLayout,
  errors: readonly string[] = [],
): BordereauColumn[] {
  const { order, hidden, file_order: isFileOrder, shows_blank: showsBlank } = layout;
  const shown = columns.filter((column) => (showsBlank || !column.is_blank) && !hidden.includes(column.field ?? ''));
  if (isFileOrder) return shown;
  const first = order.length > 0 ? order : [...FIRST_FIELDS, ...errors];
  const rank = ({ field }: BordereauColumn) => first.indexOf(field ?? '') + 1 || first.length + 1;
  return shown.toSorted((one, other) => rank(one) - rank(other));
}

/** The fields of groups of errors, the largest group first. */
export function errorFields({ groups }: ReviewView): string[] {
  const errors = groups.filter(({ severity }) => severity === 'error');
  return errors.flatMap(({ code }) => code.split(':').slice(1));
}

/** The fields in their order after columns went to the place before another, counted before they went. */
export function moveColumns(columns: BordereauColumn[], from: number, count: number, to: number): string[] {
  const fields = columns.map((column) => column.field ?? '');
  const moved = fields.splice(from, count);
  fields.splice(to > from ? to - count : to, 0, ...moved);
  return fields;
}

const WIDTHS: Record<ImportField['kind'], number> = {
  identifier: 126,
  text: 150,
  // With the mark of an issue.
  date: 108,
  amount: 90,
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
  sl_tax: 80,
  mailing_insured_name: 136,
  policy_number: 100,
  physical_zip_code: 76,
  mailing_zip_code: 88,
};

interface ImportFields {
  /** In the template's order. */
  list: ImportField[];
  /** A field by its name in the contract, in any case and with any separators; one that is not known is shown by its name. */
  find(field: string): ImportField;
  /** A sentence of the service with the titles of fields in place of their names in the contract. */
  nameFields(text: string): string;
}

/** A name without case and separators: services write `PolicyNumber`, `policy_number` and `POLICY_NUMBER`. */
export const plainName = (name: string): string => name.replaceAll(/[^a-z\d]/gi, '').toLowerCase();

/** Puts titles in place of names such as `transaction_effective_date` or `SlTax`; in quotes they are headings of the file. */
export const replaceNames = (text: string, titleOf: (name: string) => string | undefined): string =>
  text.replaceAll(
    /(?<!["\w])(?:[a-z]+(?:_[a-z\d]+)+|[A-Z]+(?:_[A-Z\d]+)+|[A-Za-z][a-z\d]*(?:[A-Z][a-z\d]+)+)(?!["\w])/g,
    (name) => titleOf(name) ?? name,
  );

/** The fields that a column can be; the core sends them. */
export function useImportFields(): ImportFields {
  const list = useReferenceData().data?.import_fields;
  return useMemo(() => {
    const byName = new Map(list?.map((each) => [plainName(each.field), each]));
    const find = (field: string): ImportField =>
      byName.get(plainName(field)) ?? {
        field,
        title: field,
        short_title: field,
        kind: 'text',
        chars_max: 0,
        example: '',
        choices: [],
      };
    return {
      list: list ?? [],
      find,
      nameFields: (text) => replaceNames(text, (name) => byName.get(plainName(name))?.title),
    };
  }, [list]);
}

/** Words in the place of codes, "North Carolina" for NC, are shown as a whole up to this many pixels. */
const CODE_WIDTH_MAX = 170;
const CHARACTER_WIDTH = 7;
/** Padding, the mark of an issue and the arrow of a list. */
const CODE_MARGIN = 38;

/** Pixels at usual size; `examples` are values of the column. */
export function defaultColumnWidth({ field, kind }: ImportField, examples: string[]): number {
  const usual = OWN_WIDTHS[field] ?? WIDTHS[kind];
  if (kind !== 'code') return usual;
  const needed = Math.max(...examples.map(({ length }) => (length > 3 ? length * CHARACTER_WIDTH + CODE_MARGIN : 0)));
  return Math.max(usual, Math.min(needed, CODE_WIDTH_MAX));
}

export function isNumericField({ kind }: ImportField): boolean {
  return kind === 'amount' || kind === 'percent';
}
