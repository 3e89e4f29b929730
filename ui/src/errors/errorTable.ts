import type { FailureCode } from '../platform/types';

/** What the person can do about it: again, to the first field at fault, or a place in the settings. */
export type ErrorAction = 'none' | 'retry' | 'fields' | 'settings' | 'keychain' | 'test' | 'sign_in';

interface ErrorText {
  /** A warning needs a change or another try; an error needs somebody to look at it. */
  severity: 'warning' | 'error';
  title: string;
  text: string;
  /** The next step, in words; empty when there is none. */
  action: string;
  actionKind: ErrorAction;
}

const ACTIONS: Record<ErrorAction, string> = {
  none: '',
  retry: 'Try again',
  fields: 'Go to first field',
  settings: 'Open profile',
  keychain: 'Open keychain settings',
  test: 'Test connection',
  sign_in: 'Sign in',
};

type ErrorRow = [severity: ErrorText['severity'], title: string, text: string, actionKind: ErrorAction];

/** The one table from the core's codes to words. The core's own sentence is shown below it. */
const ROWS: Record<FailureCode, ErrorRow> = {
  validation: [
    'warning',
    'Check the highlighted fields',
    'Nothing was sent. Each field that needs a change is marked.',
    'fields',
  ],
  rejected: [
    'warning',
    'The service rejected this request',
    'See the fields it flagged. Your entries are kept.',
    'fields',
  ],
  not_authorized: [
    'error',
    'The service doesn’t recognize this key or sign-in',
    'The key may have been replaced. A new key deactivates the old one right away.',
    'settings',
  ],
  not_permitted: [
    'error',
    'This account isn’t allowed to do that',
    'The account is inactive, or its contract doesn’t include the tax calculator. Ask the account’s administrator.',
    'settings',
  ],
  sign_in_again: ['warning', 'Sign in again', 'A sign-in lasts one month. Your entries are kept.', 'sign_in'],
  no_credentials: [
    'warning',
    'This profile has no API key or sign-in yet',
    'Estimates from the built-in rules work without one.',
    'settings',
  ],
  keychain_unavailable: [
    'error',
    'No keychain found',
    'Keys are stored only in the system keychain. You can keep them in memory until you close Bordereau.',
    'keychain',
  ],
  keychain_locked: [
    'error',
    'The keychain is locked',
    'Unlock it with your system’s keychain tool, then try again.',
    'retry',
  ],
  offline: [
    'warning',
    'Can’t reach the service',
    'Check the network. Estimates from the built-in rules still work, and your entries are kept.',
    'retry',
  ],
  timeout: [
    'warning',
    'The service didn’t respond in time',
    'Nothing was changed at the service, so it’s safe to try again.',
    'retry',
  ],
  outcome_unknown: [
    'warning',
    'It may or may not have reached the service',
    'No response confirms it. Check whether it arrived before you send it again.',
    'none',
  ],
  untrusted: [
    'error',
    'The certificate isn’t trusted',
    'Nothing was sent. Behind a company proxy, the profile may need an extra CA file.',
    'test',
  ],
  rate_limited: ['warning', 'Rate limit reached', 'The limit resets at the start of the next minute.', 'retry'],
  service_failed: [
    'error',
    'The service reported an error',
    'Your entries are kept, and estimates still work.',
    'retry',
  ],
  unreadable: [
    'error',
    'The service’s response couldn’t be read',
    'It isn’t shown, because a partly read amount could be wrong. Check the address and paths of the profile.',
    'test',
  ],
  profile_invalid: [
    'error',
    'The profile needs a change',
    'Nothing was sent. Check its address, certificates, and sign-in.',
    'settings',
  ],
  not_found: [
    'error',
    'Not found',
    'Check the number and the profile. A list may have changed in another window: reload it.',
    'none',
  ],
  storage: [
    'error',
    'A file couldn’t be read or written',
    'Check free disk space and permissions. What’s on screen stays until you close the window.',
    'retry',
  ],
  disk_full: [
    'error',
    'The disk is full',
    'Nothing was saved and nothing is lost. Free some space; what is waiting to be sent then continues by itself.',
    'retry',
  ],
  disk_failed: [
    'error',
    'The disk reported an error',
    'Check the disk, and copy the data folder to another one. What’s on screen stays until you close the window.',
    'retry',
  ],
  data_read_only: [
    'error',
    'The data folder can’t be written',
    'You can look at everything in it, but nothing can be saved or sent. Check the folder’s permissions.',
    'retry',
  ],
  store_damaged: [
    'error',
    'The data file is damaged',
    'Nothing is sent from it. Restore a backup in Settings.',
    'none',
  ],
  data_key_missing: [
    'error',
    'The data folder is encrypted, and its key is missing',
    'Nothing was changed. Close Bordereau and open it again: it asks for the recovery key.',
    'none',
  ],
  store_too_new: [
    'error',
    'This data is from a newer version of Bordereau',
    'It wasn’t changed. Open it with the newer version.',
    'none',
  ],
  office: [
    'error',
    'The office database didn’t do this',
    'What’s on screen stays until you close the window.',
    'retry',
  ],
  changed_elsewhere: [
    'warning',
    'Someone else changed it',
    'Nothing was overwritten, and yours isn’t saved yet.',
    'none',
  ],
  locked: ['warning', 'Bordereau is locked', 'Enter the passphrase to continue.', 'none'],
  canceled: ['error', 'Canceled', 'Nothing was changed.', 'none'],
  core_ended: [
    'error',
    'Bordereau’s core has ended',
    'What was saved is kept. What was waiting to be sent is sent once it runs again.',
    'retry',
  ],
  no_program: [
    'warning',
    'No other program was opened',
    'What was saved is kept. Open it yourself, or choose a default program in the system’s settings.',
    'none',
  ],
  internal: [
    'error',
    'Something went wrong in Bordereau',
    'Your entries are kept. Please report it with the message below.',
    'retry',
  ],
};

export const ERRORS = Object.fromEntries(
  Object.entries(ROWS).map(([code, [severity, title, text, actionKind]]) => [
    code,
    { severity, title, text, action: ACTIONS[actionKind], actionKind },
  ]),
) as Record<FailureCode, ErrorText>;
