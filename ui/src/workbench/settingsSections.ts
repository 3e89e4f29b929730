/** The sections of Settings, in their order; the panel of each is in `SettingsView`. */
export const SETTINGS_SECTIONS = [
  { place: 'profiles', title: 'Profiles', hint: 'Service address and sign-in' },
  { place: 'keychain', title: 'Keychain', hint: 'Where keys and sign-ins are saved' },
  { place: 'data', title: 'Data and backups', hint: 'Backups, checks, and export' },
  { place: 'office', title: 'Office database', hint: 'One workspace for the whole office' },
  { place: 'lock', title: 'Lock', hint: 'When the window asks for a passphrase' },
  { place: 'responses', title: 'Responses', hint: 'What the service sent that wasn’t understood' },
  { place: 'agency', title: 'Agency', hint: 'Name, logo, and sheet for clients' },
  { place: 'appearance', title: 'Appearance', hint: 'Theme, size, and first view' },
  { place: 'rules', title: 'Rules and updates', hint: 'Rules packs, newer versions, and policy' },
  { place: 'about', title: 'About', hint: 'Version and licenses' },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['place'];
