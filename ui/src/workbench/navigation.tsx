import { createContext, useContext } from 'react';

export type View =
  | 'quote'
  | 'compare'
  | 'saved'
  | 'batches'
  | 'transactions'
  | 'documents'
  | 'due'
  | 'diligent'
  | 'events'
  | 'webhooks'
  | 'practice'
  | 'settings';
export type SettingsPlace = 'profiles' | 'keychain' | 'appearance' | 'about';

export interface Navigation {
  view: View;
  place: SettingsPlace;
  go(view: View, place?: SettingsPlace): void;
}

const NavigationContext = createContext<Navigation | null>(null);

export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('There is no NavigationProvider above this component.');
  return navigation;
}
