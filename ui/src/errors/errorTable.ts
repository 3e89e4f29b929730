import type { ErrorCode } from '../bindings/operations';

/** What the person can do about it; the views know how. */
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

/** The one table from the core's codes to words. The core's own sentence is shown below it. */
export const ERRORS: Record<ErrorCode, ErrorText> = {
  validation: {
    severity: 'warning',
    title: 'Check the highlighted fields',
    text: 'Nothing was sent. Each field that needs a change is marked.',
    action: 'Go to first field',
    actionKind: 'fields',
  },
  rejected: {
    severity: 'warning',
    title: 'The service rejected this request',
    text: 'See the fields it flagged. Your entries are kept.',
    action: 'Go to first field',
    actionKind: 'fields',
  },
  not_authorized: {
    severity: 'error',
    title: 'The service doesn’t recognize this key or sign-in',
    text: 'The key may have been replaced. A new key deactivates the old one right away.',
    action: 'Open profile',
    actionKind: 'settings',
  },
  not_permitted: {
    severity: 'error',
    title: 'This account isn’t allowed to do that',
    text: 'The account is inactive, or its contract doesn’t include the tax calculator. Ask the account’s administrator.',
    action: 'Open profile',
    actionKind: 'settings',
  },
  sign_in_again: {
    severity: 'warning',
    title: 'Sign in again',
    text: 'A sign-in lasts one month. Your entries are kept.',
    action: 'Sign in',
    actionKind: 'sign_in',
  },
  no_credentials: {
    severity: 'warning',
    title: 'This profile has no API key or sign-in yet',
    text: 'Estimates from the built-in rules work without one.',
    action: 'Open profile',
    actionKind: 'settings',
  },
  keychain_unavailable: {
    severity: 'error',
    title: 'No keychain found',
    text: 'Keys are stored only in the system keychain. You can keep them in memory until you close Bordereau.',
    action: 'Open keychain settings',
    actionKind: 'keychain',
  },
  keychain_locked: {
    severity: 'error',
    title: 'The keychain is locked',
    text: 'Unlock it with your system’s keychain tool, then try again.',
    action: 'Try again',
    actionKind: 'retry',
  },
  offline: {
    severity: 'warning',
    title: 'Can’t reach the service',
    text: 'Check the network. Estimates from the built-in rules still work, and your entries are kept.',
    action: 'Try again',
    actionKind: 'retry',
  },
  timeout: {
    severity: 'warning',
    title: 'The service didn’t respond in time',
    text: 'Nothing was changed at the service, so it’s safe to try again.',
    action: 'Try again',
    actionKind: 'retry',
  },
  outcome_unknown: {
    severity: 'warning',
    title: 'It may or may not have reached the service',
    text: 'The response was lost. Check whether it arrived before you send it again.',
    action: '',
    actionKind: 'none',
  },
  untrusted: {
    severity: 'error',
    title: 'The certificate isn’t trusted',
    text: 'Nothing was sent. Behind a company proxy, the profile may need an extra CA file.',
    action: 'Test connection',
    actionKind: 'test',
  },
  rate_limited: {
    severity: 'warning',
    title: 'Rate limit reached',
    text: 'The limit resets at the start of the next minute.',
    action: 'Try again',
    actionKind: 'retry',
  },
  service_failed: {
    severity: 'error',
    title: 'The service reported an error',
    text: 'Your entries are kept, and estimates still work.',
    action: 'Try again',
    actionKind: 'retry',
  },
  unreadable: {
    severity: 'error',
    title: 'The service’s response couldn’t be read',
    text: 'It isn’t shown, because a partly read amount could be wrong. Check the address and paths of the profile.',
    action: 'Test connection',
    actionKind: 'test',
  },
  profile_invalid: {
    severity: 'error',
    title: 'The profile needs a change',
    text: 'Nothing was sent. Check its address, certificates, and sign-in.',
    action: 'Open profile',
    actionKind: 'settings',
  },
  not_found: {
    severity: 'error',
    title: 'No longer available',
    text: 'It may have been removed in another window. Reload the list.',
    action: '',
    actionKind: 'none',
  },
  storage: {
    severity: 'error',
    title: 'A file couldn’t be read or written',
    text: 'Check free disk space and permissions. What’s on screen stays until you close the window.',
    action: 'Try again',
    actionKind: 'retry',
  },
  store_too_new: {
    severity: 'error',
    title: 'This data is from a newer version of Bordereau',
    text: 'It wasn’t changed. Open it with the newer version.',
    action: '',
    actionKind: 'none',
  },
  canceled: { severity: 'error', title: 'Canceled', text: 'Nothing was changed.', action: '', actionKind: 'none' },
  internal: {
    severity: 'error',
    title: 'Something went wrong in Bordereau',
    text: 'Your entries are kept. Please report it with the message below.',
    action: 'Try again',
    actionKind: 'retry',
  },
};
