import { createContext, type Provider, useContext } from 'react';

/** What a provider above gives to everything below it: the provider, and the hook that reads it or says what is missing. */
export function createRequiredContext<T>(name: string): [Provider<T | null>, () => T, () => T | null] {
  const Context = createContext<T | null>(null);
  const useOptional = () => useContext(Context);
  const useRequired = () => {
    const value = useContext(Context);
    if (value === null) throw new Error(`There is no provider of the ${name} above this component.`);
    return value;
  };
  return [Context.Provider, useRequired, useOptional];
}
