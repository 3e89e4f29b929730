import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { createPortal } from 'react-dom';

import { Icon } from './Icon';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  hint?: ReactNode;
  /** Gray text at the right end of the field, such as the weekday. */
  suffix?: string | undefined;
  /** The suffix in full for screen readers, such as the date in words. */
  suffixLabel?: string | undefined;
  numeric?: boolean;
  /** No visible label and no border: a cell of a table. */
  cell?: boolean;
  /** Shown as a star behind the label, and said as a word. */
  required?: boolean | undefined;
  /** JSON pointer of this field in the request: errors find it. */
  pointer?: string | undefined;
  /** Where its error is shown, when there is no room below it. */
  errorContainer?: HTMLElement | null | undefined;
  ref?: Ref<HTMLInputElement>;
  /** Within the border, behind all else. */
  children?: ReactNode;
}

/** A text field with its label, and its error in words below it. */
export function Field({
  label,
  value,
  onChange,
  error,
  hint,
  suffix,
  suffixLabel,
  numeric,
  cell,
  required,
  pointer,
  errorContainer,
  className,
  children,
  ...input
}: Props) {
  const id = useId();
  const described = [error ? `${id}-error` : '', suffix ? `${id}-suffix` : '', hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className={`field ${cell ? 'cell' : ''} ${error ? 'bad' : ''} ${className ?? ''}`} data-pointer={pointer}>
      {!cell && (
        <label htmlFor={id}>
          {label}
          {required && <RequiredMark />}
        </label>
      )}
      <div className="in">
        <input
          autoComplete="off"
          spellCheck={false}
          aria-required={required}
          {...input}
          id={id}
          aria-label={cell ? label : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={numeric ? 'num' : ''}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        {suffix && (
          <span className="suffix" id={`${id}-suffix`}>
            {suffixLabel ? <span className="only-read">{suffixLabel}</span> : suffix}
            {suffixLabel && <span aria-hidden="true">{suffix}</span>}
          </span>
        )}
        {children}
      </div>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldErrorText id={`${id}-error`} message={error} container={errorContainer} />}
    </div>
  );
}

/** Must be filled: for the eye, where the field itself says it to screen readers. */
export function RequiredMark() {
  return <span aria-hidden="true"> *</span>;
}

interface ErrorTextProps {
  id?: string;
  message: string;
  /** Another place than here. */
  container?: HTMLElement | null | undefined;
}

export function FieldErrorText({ id, message, container }: ErrorTextProps) {
  const words = (
    <p className="problem" id={id}>
      <Icon name="error" />
      {message}
    </p>
  );
  return container ? createPortal(words, container) : words;
}
