import type { ErrorCode } from '../bindings/operations';

/** What the person can do about it; the views know how. */
export type ErrorAction = 'none' | 'retry' | 'fields' | 'settings' | 'keychain' | 'test' | 'sign_in';

export interface ErrorText {
  title: string;
  text: string;
  /** The next step, in words; empty when there is none. */
  action: string;
  actionKind: ErrorAction;
}

/** The one table from the core's codes to words. The core's own sentence is shown below it. */
export const ERRORS: Record<ErrorCode, ErrorText> = {
  validation: {
    title: 'Something in the form needs a look',
    text: 'Nothing was sent. Each field that needs a change says so.',
    action: 'Go to the first field',
    actionKind: 'fields',
  },
  rejected: {
    title: 'The service did not accept this',
    text: 'It answered what it wants changed. Your form is kept.',
    action: 'Go to the first field',
    actionKind: 'fields',
  },
  not_authorised: {
    title: 'The service does not know this key or sign-in',
    text: 'The key may have been replaced: a new one makes the old one inactive at once.',
    action: 'Open the profile',
    actionKind: 'settings',
  },
  not_permitted: {
    title: 'This account may not do that',
    text: 'The account is inactive, or its contract does not include the calculator. Its administrator can change that.',
    action: 'Open the profile',
    actionKind: 'settings',
  },
  sign_in_again: {
    title: 'Sign in again',
    text: 'A sign-in lasts a month. Your form is kept.',
    action: 'Sign in',
    actionKind: 'sign_in',
  },
  no_credentials: {
    title: 'This profile has no key or sign-in yet',
    text: 'The estimate from the built-in rules works without one.',
    action: 'Open the profile',
    actionKind: 'settings',
  },
  keychain_unavailable: {
    title: 'No keychain answers',
    text: 'Keys are only ever stored in the system’s keychain. You can keep them in memory until the program ends.',
    action: 'Open keychain settings',
    actionKind: 'keychain',
  },
  keychain_locked: {
    title: 'The keychain is locked',
    text: 'Unlock it with the system’s own tool and try again.',
    action: 'Try again',
    actionKind: 'retry',
  },
  offline: {
    title: 'The service cannot be reached',
    text: 'The estimate from the built-in rules still works, and your form is kept.',
    action: 'Try again',
    actionKind: 'retry',
  },
  timeout: {
    title: 'The service did not answer in time',
    text: 'A quote changes nothing there: asking again is safe.',
    action: 'Try again',
    actionKind: 'retry',
  },
  untrusted: {
    title: 'The certificate is not trusted',
    text: 'Nothing was sent. Behind a company proxy the profile may need an extra CA file.',
    action: 'Test the connection',
    actionKind: 'test',
  },
  rate_limited: {
    title: 'The limit of this minute is used up',
    text: 'It starts again with the next minute.',
    action: 'Try again',
    actionKind: 'retry',
  },
  service_failed: {
    title: 'The service failed',
    text: 'The trouble is on its side. Your form is kept and the estimate still works.',
    action: 'Try again',
    actionKind: 'retry',
  },
  unreadable: {
    title: 'The answer cannot be understood',
    text: 'It was not shown, because a half-read amount would be worse than none.',
    action: 'Test the connection',
    actionKind: 'test',
  },
  profile_invalid: {
    title: 'The profile needs a change',
    text: 'Nothing was sent.',
    action: 'Open the profile',
    actionKind: 'settings',
  },
  not_found: {
    title: 'It is no longer there',
    text: 'It may have been removed in another window.',
    action: '',
    actionKind: 'none',
  },
  storage: {
    title: 'A file could not be read or written',
    text: 'Check free space and permissions. What is on screen is kept until you close the window.',
    action: 'Try again',
    actionKind: 'retry',
  },
  store_too_new: {
    title: 'The stored data is from a newer version',
    text: 'It was left untouched. Open it with the newer version.',
    action: '',
    actionKind: 'none',
  },
  cancelled: { title: 'Cancelled', text: 'Nothing was changed.', action: '', actionKind: 'none' },
  internal: {
    title: 'A defect of ours',
    text: 'What you typed is kept. Please report it with the sentence below.',
    action: 'Try again',
    actionKind: 'retry',
  },
};
