import { createRequiredContext } from '../components/requiredContext';
import type { ViewName } from '../views';

export type SettingsSection = 'profiles' | 'keychain' | 'data' | 'lock' | 'responses' | 'appearance' | 'about';

export interface Navigation {
  view: ViewName;
  section: SettingsSection;
  go(view: ViewName, place?: SettingsSection): void;
}

export const [NavigationProvider, useNavigation, useOptionalNavigation] =
  createRequiredContext<Navigation>('navigation');
