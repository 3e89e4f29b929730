import { useState } from 'react';

import type { ChosenFile, FilePurpose } from '../../bindings/operations';
import { Button, Field } from '../../components';
import { useOperationAction } from '../../operations';

interface FileFieldProps {
  label: string;
  purpose: FilePurpose;
  value: string;
  error: string | undefined;
  pointer: string;
  onChange(handle: string): void;
}

/** A file by its name: a path is neither shown nor typed. */
export function FileField({ label, purpose, value, ...field }: FileFieldProps) {
  const choosing = useOperationAction('choose_file');
  const [chosen, setChosen] = useState<ChosenFile>({ handle: '', name: '' });
  const choose = () =>
    choosing.mutate(
      { purpose },
      {
        onSuccess: (file) => {
          if (file.handle === '') return;
          setChosen(file);
          field.onChange(file.handle);
        },
      },
    );
  const name = value === chosen.handle ? chosen.name : (value.split(/[\\/]/).at(-1) ?? '');
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
