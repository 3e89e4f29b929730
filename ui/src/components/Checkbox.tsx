import { useId } from 'react';

import { FieldErrorText } from './Field';

interface Props {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
  hint?: string;
  pointer?: string;
  error?: string | undefined;
}

export function Checkbox({ label, checked, onChange, hint, pointer, error }: Props) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="check" data-pointer={pointer}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldErrorText id={`${id}-error`} message={error} />}
    </div>
  );
}
