import { type RefObject, useRef } from 'react';

import { useActions } from './ActionRegistry';

/** The search field of a view: Ctrl+F goes there, and what is typed next replaces what was searched for before. */
export function useFindField(title: string, group: string): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const run = () => {
    field.current?.focus();
    field.current?.select();
  };
  useActions([{ id: `find ${group}`, title, group, keys: 'Mod+F', run }]);
  return field;
}
