import type { ImportField, NamedCode } from '../../../bindings/operations';
import { AmountField } from '../../../components/AmountField';
import { DateField } from '../../../components/DateField';
import { Field } from '../../../components/Field';
import { Picker } from '../../../components/Picker';
import { SelectField } from '../../../components/SelectField';
import { Tag } from '../../../components/Tag';
import { formatAmount, isZero, parseAmount, subtractAmounts } from '../../../values/amount';
import { parseDate } from '../../../values/date';
import { useWorkbench } from '../../../workbench/Workbench';
import type { TransactionCells } from './useTransactionCells';

const NOT_GIVEN: NamedCode = { code: '', name: 'Not given' };
/** More codes than this are searched, not looked through. */
const SHORT_LIST_MAX = 10;

/** One field of the transaction, as its kind asks. */
export function TransactionField({ field, cells }: { field: ImportField; cells: TransactionCells }) {
  const { reference } = useWorkbench();
  const value = cells.text(field.field);
  const shared = {
    label: field.title,
    pointer: `/${field.field}`,
    error: cells.fieldError(field.field),
    required: value === '' && cells.isRequired(field.field),
    onChange: (text: string) => cells.type({ [field.field]: text }),
  };
  // A word that is no code of the list is shown as it is, with its error; several codes are typed.
  const isListed = value === '' || field.choices.some((each) => each.code === value);
  if (field.choices.length > 0 && field.kind !== 'list' && isListed)
    return field.choices.length <= SHORT_LIST_MAX ? (
      <SelectField {...shared} choices={[NOT_GIVEN, ...field.choices]} value={value} />
    ) : (
      <Picker
        {...shared}
        choices={field.choices}
        value={value}
        placeholder="Name or code"
        {...(field.field.endsWith('_state') ? { noun: 'state' } : {})}
      />
    );
  if (field.kind === 'date')
    return <DateField {...shared} today={reference.today} value={parseDate(value, reference.today) ?? value} />;
  if (field.kind === 'amount') return <AmountField {...shared} value={value} />;
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
          error={cells.fieldError(field.field)}
          onChange={(text) => cells.type({ [field.field]: text })}
        />
      </td>
      <td className="num">{calculated === undefined ? '' : formatAmount(calculated)}</td>
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
