import type { FormHTMLAttributes, Ref } from 'react';

interface Props extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  onSubmit(): void;
  ref?: Ref<HTMLFormElement>;
}

/** Fields that are sent together, by Enter too. What is wrong with them is said beside them, not by the browser. */
export function Form({ onSubmit, ...rest }: Props) {
  return (
    <form
      noValidate
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog opened from within a form is none of its fields.
        event.stopPropagation();
        onSubmit();
      }}
    />
  );
}
