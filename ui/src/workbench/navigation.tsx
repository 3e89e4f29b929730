import { createContext, useContext } from 'react';

import type { ViewName } from '../views';

export type SettingsSection = 'profiles' | 'keychain' | 'appearance' | 'about';

export interface Navigation {
  view: ViewName;
  section: SettingsSection;
  go(view: ViewName, place?: SettingsSection): void;
}

const NavigationContext = createContext<Navigation | null>(null);

export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('There is no NavigationProvider above this component.');
  return navigation;
}
