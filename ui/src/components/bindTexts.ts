import type { OperationError } from '../platform';

type TextKey<T> = Extract<{ [K in keyof T]: T[K] extends string ? K : never }[keyof T], string>;

/** What binds a field to a text of a form: the value, its error, and how it is changed. */
export function bindTexts<T>(
  form: T,
  change: (part: Partial<T>) => void,
  errorAt: (pointer: string) => string | undefined,
  root = '',
) {
  return (key: TextKey<T>) => ({
    value: form[key] as string,
    pointer: `${root}/${key}`,
    error: errorAt(`${root}/${key}`),
    onChange: (text: string) => change({ [key]: text } as Partial<T>),
  });
}

/** Finds what an operation says of a field, by its pointer. */
export function errorsByPointer(error: OperationError | null | undefined): (pointer: string) => string | undefined {
  return (pointer) => error?.boundary.details.find((detail) => detail.pointer === pointer)?.message;
}
