import { useId } from 'react';

import { FieldErrorText, RequiredMark } from './Field';

interface Props {
  label: string;
  rows?: number;
  value: string;
  onChange(value: string): void;
  required?: boolean;
  pointer?: string | undefined;
  error?: string | undefined;
}

/** A text of several lines with its label, and its error in words below it. */
export function TextArea({ label, rows = 2, value, onChange, required, pointer, error }: Props) {
  const id = useId();
  return (
    <div className={`field ${error ? 'bad' : ''}`} data-pointer={pointer}>
      <label htmlFor={id}>
        {label}
        {required && <RequiredMark />}
      </label>
      <textarea
        id={id}
        rows={rows}
        maxLength={20_000}
        spellCheck={false}
        aria-required={required}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {error && <FieldErrorText id={`${id}-error`} message={error} />}
    </div>
  );
}
