import type { ImportField, IssueView, NamedCode } from '../../../bindings/operations';
import { AmountField } from '../../../components/AmountField';
import { DateField } from '../../../components/DateField';
import { Field } from '../../../components/Field';
import { Picker } from '../../../components/Picker';
import { SelectField } from '../../../components/SelectField';
import { Tag } from '../../../components/Tag';
import { formatMoney, isZero, parseAmount, subtractAmounts } from '../../../values/amount';
import { parseDate } from '../../../values/date';
import { useWorkbench } from '../../../workbench/Workbench';
import type { TransactionCells } from './useTransactionCells';

const YES_NO: NamedCode[] = [
  { code: '', name: 'Not given' },
  { code: '1', name: 'Yes' },
  { code: '0', name: 'No' },
];

const WRITTEN_AS: NamedCode[] = [
  { code: '', name: 'Not given' },
  { code: 'B', name: 'Through a retail agent' },
  { code: 'DC', name: 'Direct' },
];

const POLICY_TYPES: NamedCode[] = [
  { code: '', name: 'Not given' },
  { code: 'standard', name: 'Standard' },
  { code: 'master', name: 'Master' },
  { code: 'cert', name: 'Certificate' },
  { code: 'reporting_form', name: 'Reporting form' },
];

/** The codes a field takes, by name; null where it takes any text. */
function useCodes(field: string): { codes: readonly NamedCode[]; short: boolean } | null {
  const { reference } = useWorkbench();
  const optional = (codes: readonly NamedCode[]) => [{ code: '', name: 'Not given' }, ...codes];
  switch (field) {
    case 'physical_state':
    case 'mailing_state_code':
      return { codes: reference.states, short: false };
    case 'transaction_type':
      return { codes: reference.transaction_types, short: false };
    case 'insured_entity':
      return { codes: optional(reference.entity_types), short: true };
    case 'account_written_as':
      return { codes: WRITTEN_AS, short: true };
    case 'policy_type':
      return { codes: POLICY_TYPES, short: true };
    case 'agency_fee_charged_by':
      return { codes: optional(reference.fee_chargers), short: true };
    case 'occupancy':
      return { codes: optional(reference.occupancies), short: true };
    default:
      return null;
  }
}

/** The sentence below a field: an open error, else nothing; warnings are in the list of issues. */
export function fieldError(issues: readonly IssueView[]): string | undefined {
  return issues.find((issue) => issue.severity === 'error' && issue.kept === null)?.message;
}

/** One field of the transaction, as its kind asks. */
export function TransactionField({ field, cells }: { field: ImportField; cells: TransactionCells }) {
  const { reference } = useWorkbench();
  const known = useCodes(field.field);
  const issues = cells.issues(field.field);
  const value = cells.text(field.field);
  const shared = {
    label: field.title,
    pointer: `/${field.field}`,
    error: fieldError(issues),
    onChange: (text: string) => cells.type({ [field.field]: text }),
  };
  // A word that is no code of the list is shown as it is, with its error.
  const isListed = known?.codes.some((each) => each.code === value) || value === '';
  if (known && isListed)
    return known.short ? (
      <SelectField {...shared} choices={known.codes} value={value} />
    ) : (
      <Picker {...shared} choices={known.codes} value={value} placeholder="Name or code" />
    );
  if (field.kind === 'date')
    return <DateField {...shared} today={reference.today} value={parseDate(value, reference.today) ?? value} />;
  if (field.kind === 'amount') return <AmountField {...shared} value={value} />;
  if (field.kind === 'flag' && ['', '0', '1'].includes(value))
    return <SelectField {...shared} choices={YES_NO} value={value} />;
  return <Field {...shared} value={value} />;
}

interface ChargeFieldProps {
  field: ImportField;
  cells: TransactionCells;
  /** What the rules calculate; undefined where they say nothing. */
  calculated: string | undefined;
}

/** An amount with what the rules calculate beside it. */
export function ChargeField({ field, cells, calculated }: ChargeFieldProps) {
  const value = cells.text(field.field);
  const read = parseAmount(value);
  const isSame = calculated !== undefined && read.ok && isZero(subtractAmounts(read.amount, calculated));
  return (
    <tr>
      <th scope="row">{field.title}</th>
      <td>
        <AmountField
          cell
          label={field.title}
          pointer={`/${field.field}`}
          value={value}
          error={fieldError(cells.issues(field.field))}
          onChange={(text) => cells.type({ [field.field]: text })}
        />
      </td>
      <td className="num">{calculated === undefined ? '' : formatMoney(calculated)}</td>
      <td>
        {calculated !== undefined &&
          (isSame ? (
            <Tag tone="ok" icon="check">
              same
            </Tag>
          ) : (
            <button
              type="button"
              className="link-button"
              aria-label={`Use the calculated amount for ${field.title}`}
              onClick={() => cells.type({ [field.field]: calculated })}
            >
              {value === '' ? 'Fill in' : 'Use calculated'}
            </button>
          ))}
      </td>
    </tr>
  );
}
