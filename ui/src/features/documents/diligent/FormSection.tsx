import type { FormField } from '../../../bindings/operations';
import { AmountField, DateField, Field, NOT_SPECIFIED, SelectField, TextArea } from '../../../components';
import type { ShownSection } from './formsRequest';

interface Props {
  section: ShownSection;
  values: Record<string, string | undefined>;
  today: string;
  /** What is wrong with a field, by its pointer. */
  problem(pointer: string): string | undefined;
  onChange(name: string, value: string): void;
}

export function FormSection({ section, values, today, problem, onChange }: Props) {
  return (
    <section className="card card-body" aria-label={section.title}>
      <h2>{section.title}</h2>
      <div className="pair">
        {section.fields.map((field) => (
          <div key={field.name} className={field.half && field.kind !== 'yes_no' ? '' : 'whole'}>
            <FormInput
              field={field}
              value={values[field.name] ?? ''}
              today={today}
              error={problem(`/values/${field.name}`)}
              onChange={(value) => onChange(field.name, value)}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

interface FormInputProps {
  field: FormField;
  value: string;
  today: string;
  error: string | undefined;
  onChange(value: string): void;
}

const YES_NO = [NOT_SPECIFIED, { code: 'yes', name: 'Yes' }, { code: 'no', name: 'No' }];

function FormInput({ field, value, today, error, onChange }: FormInputProps) {
  const pointer = `/values/${field.name}`;
  const { label, required } = field;
  switch (field.kind) {
    case 'date':
      return <DateField {...{ label, required, value, today, error, pointer, onChange }} />;
    case 'amount':
      return <AmountField {...{ label, required, value, error, pointer, onChange }} />;
    case 'yes_no':
      return (
        <SelectField
          {...{ value, pointer, error, onChange }}
          label={required ? `${label} *` : label}
          choices={YES_NO}
        />
      );
    case 'long':
      return <TextArea {...{ label, required, value, error, pointer, onChange }} />;
    default:
      return <Field {...{ label, required, value, error, pointer, onChange }} maxLength={4000} />;
  }
}
