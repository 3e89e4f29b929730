import type { FilePurpose } from '../../bindings/operations';
import { Button, Field } from '../../components';
import { useOperationAction } from '../../operations';
import { useUnsavedForms } from '../../workbench/unsavedForms';

interface FileFieldProps {
  label: string;
  purpose: FilePurpose;
  value: string;
  error?: string | undefined;
  pointer: string;
  onChange(handle: string): void;
}

/** A file by its name: a path is neither shown nor typed. */
export function FileField({ label, purpose, value, ...field }: FileFieldProps) {
  const choosing = useOperationAction('choose_file');
  // Kept as long as the form that has its handle.
  const { forms, setForm } = useUnsavedForms();
  const choose = () =>
    choosing.mutate(
      { purpose },
      {
        onSuccess: (file) => {
          if (file.handle === '') return;
          setForm(`file ${file.handle}`, file.name);
          field.onChange(file.handle);
        },
      },
    );
  const chosen = forms[`file ${value}`] as string | undefined;
  const name = chosen ?? value.split(/[\\/]/).at(-1) ?? '';
  return (
    <div className="buttons file-field whole">
      <Field label={label} placeholder="None" readOnly value={name} {...field} />
      <Button aria-label={`Choose file: ${label}`} onClick={choose}>
        Choose
      </Button>
      <Button
        aria-label={`Remove file: ${label}`}
        disabledReason={value === '' && 'No file is chosen.'}
        onClick={() => field.onChange('')}
      >
        Remove
      </Button>
    </div>
  );
}
