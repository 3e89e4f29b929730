import { SelectField } from '../../../components';
import { useImportFields } from '../bordereauFields';

interface Props {
  label: string;
  value: string | null;
  onChange(field: string | null): void;
  /** What null is called; without it a field has to be chosen. */
  none?: string;
}

/** A field of imports. */
export function FieldSelect({ label, value, onChange, none }: Props) {
  const fields = useImportFields();
  const choices = fields.list.map((each) => ({ code: each.field, name: each.title }));
  return (
    <SelectField
      label={label}
      choices={none ? [{ code: '', name: none }, ...choices] : choices}
      value={value ?? ''}
      onChange={(code) => onChange(code === '' ? null : code)}
    />
  );
}
