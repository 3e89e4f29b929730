/** The sections of Settings, in their order; the panel of each is in `SettingsView`, and its chapter in the guide. */
export const SETTINGS_SECTIONS = [
  { place: 'profiles', title: 'Profiles', hint: 'Service address and sign-in', chapter: 'connect-a-real-account' },
  {
    place: 'keychain',
    title: 'Keychain',
    hint: 'Where keys and sign-ins are saved',
    chapter: 'connect-a-real-account',
  },
  { place: 'data', title: 'Data and backups', hint: 'Backups, checks, and export', chapter: 'back-up-restore-export' },
  {
    place: 'office',
    title: 'Office database',
    hint: 'One workspace for the whole office',
    chapter: 'say-who-does-what',
  },
  { place: 'lock', title: 'Lock', hint: 'When the window asks for a passphrase', chapter: 'lock-the-window' },
  {
    place: 'responses',
    title: 'Responses',
    hint: 'What the service sent that wasn’t understood',
    chapter: 'connect-a-real-account',
  },
  { place: 'agency', title: 'Agency', hint: 'Name, logo, and sheet for clients', chapter: 'save-reopen-print' },
  { place: 'appearance', title: 'Appearance', hint: 'Theme, size, and first view', chapter: 'see-what-the-day-brings' },
  {
    place: 'rules',
    title: 'Rules and updates',
    hint: 'Rules packs, newer versions, and policy',
    chapter: 'look-up-rates',
  },
  { place: 'about', title: 'About', hint: 'Version and licenses', chapter: 'when-something-is-wrong' },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['place'];
