import { useRef } from 'react';

import { useActions } from '../actions/ActionRegistry';
import { Field } from './Field';

interface Props {
  /** Of the action, such as "Search events". */
  title: string;
  /** The view it belongs to. */
  group: string;
  placeholder: string;
  value: string;
  onChange(value: string): void;
  className?: string;
}

/** The search field of a view: Ctrl+F goes there, and what is typed next replaces what was searched for before. */
export function SearchField({ title, group, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const run = () => {
    input.current?.focus();
    input.current?.select();
  };
  useActions([{ id: `find ${group}`, title, group, keys: 'Mod+F', run }]);
  return <Field ref={input} label="Search" {...field} />;
}
