import { createRequiredContext } from '../components/requiredContext';
import type { ViewName } from '../views';
import type { SettingsSection } from './settingsSections';

export interface Navigation {
  view: ViewName;
  section: SettingsSection;
  /** What the view was opened for, such as a state or an event; empty for nothing. */
  subject: string;
  go(view: ViewName, place?: SettingsSection): void;
  /** Opens a view at one of its subjects. */
  show(view: ViewName, subject: string): void;
}

export const [NavigationProvider, useNavigation, useOptionalNavigation] =
  createRequiredContext<Navigation>('navigation');
