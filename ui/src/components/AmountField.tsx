import { useState } from 'react';

import { parseAmount } from '../values';
import { normalizeAmount } from '../values/amount';
import { Field } from './Field';

interface Props {
  label: string;
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  cell?: boolean;
  pointer: string;
  placeholder?: string;
  required?: boolean | undefined;
  errorContainer?: HTMLElement | null;
  autoFocus?: boolean;
  /** Needed, without a star that says so to the eye. */
  'aria-required'?: boolean;
}

/** An amount as people type it; put in order when the field is left, and never lost when it cannot be read. */
export function AmountField({ value, onChange, error, ...rest }: Props) {
  const [left, setLeft] = useState(false);
  const [typing, setTyping] = useState(false);
  const read = value.trim() === '' ? null : parseAmount(value);
  const unreadable = left && read && !read.ok ? read.message : undefined;
  return (
    <Field
      {...rest}
      numeric
      inputMode="decimal"
      // An amount that was not typed here is valid too; only typed text is written back.
      value={typing ? value : normalizeAmount(value)}
      onChange={(text) => {
        setTyping(true);
        onChange(text);
      }}
      error={error ?? unreadable}
      onFocus={(event) => event.target.select()}
      onBlur={() => {
        setLeft(true);
        setTyping(false);
        const tidy = normalizeAmount(value);
        if (typing && tidy !== value) onChange(tidy);
      }}
    />
  );
}
