import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { createRequiredContext } from '../components/requiredContext';

interface UnsavedForms {
  forms: Record<string, unknown>;
  setForm(name: string, form: unknown): void;
}

const [Provider, useUnsavedForms] = createRequiredContext<UnsavedForms>('unsaved forms');
export { useUnsavedForms };

/** What was typed into forms and not saved yet; kept while other views are on screen. No secrets are in it. */
export function UnsavedFormsProvider({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState<Record<string, unknown>>({});
  const setForm = useCallback((name: string, form: unknown) => setForms((old) => ({ ...old, [name]: form })), []);
  const value = useMemo(() => ({ forms, setForm }), [forms, setForm]);
  return <Provider value={value}>{children}</Provider>;
}

/** What was typed into one form; null where nothing was, or it was saved or discarded. */
export function useUnsavedForm<T>(name: string): [T | null, (form: T | null) => void] {
  const { forms, setForm } = useUnsavedForms();
  const set = useCallback((form: T | null) => setForm(name, form), [setForm, name]);
  return [(forms[name] as T | null | undefined) ?? null, set];
}
