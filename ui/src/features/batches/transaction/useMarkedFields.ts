import { type FocusEvent, useState } from 'react';

export interface MarkedFields {
  /** Whether what is wrong with a field is shown at it: once it was left, not while it is filled in. */
  isMarked(field: string, value: string): boolean;
  /** Every field is marked: it was to be sent. */
  markAll(): void;
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

/** Which fields of a form were left: a new form has nothing wrong with it yet. */
export function useMarkedFields(): MarkedFields {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState('');
  const [all, setAll] = useState(false);
  return {
    isMarked: (field, value) => all || left.has(field) || (value !== '' && focused !== field),
    markAll: () => setAll(true),
    onFocus: (event) => setFocused(fieldOf(event.target)),
    onBlur: (event) => {
      const field = fieldOf(event.target);
      // From its text to its list or its calendar is no leaving.
      if (field !== '' && field !== fieldOf(event.relatedTarget)) setLeft(new Set([...left, field]));
      setFocused('');
    },
  };
}

/** The lines and insurers have a field for each part. */
function fieldOf(element: Element | null): string {
  return element?.closest<HTMLElement>('[data-pointer]')?.dataset['pointer']?.split('/')[1] ?? '';
}
