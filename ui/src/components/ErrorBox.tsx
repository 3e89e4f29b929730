import type { ReactNode } from 'react';

import { ERRORS, type ErrorAction } from '../errors/errorTable';
import type { OperationError } from '../platform';
import { useOptionalNavigation } from '../workbench/navigation';
import type { SettingsSection } from '../workbench/settingsSections';
import { Button } from './Button';
import { Icon } from './Icon';

/** Where the remedies are that a place in the settings has. */
const SECTIONS: Partial<Record<ErrorAction, SettingsSection>> = {
  settings: 'profiles',
  sign_in: 'profiles',
  test: 'profiles',
  keychain: 'keychain',
};

interface Props {
  error: OperationError;
  /** Does it again; without it no button offers to. */
  onRetry?: (() => unknown) | undefined;
  /** Goes to the first field at fault, where the place has fields. */
  onFields?: (() => void) | undefined;
  children?: ReactNode;
}

/** What happened, what was kept, what to do; then the core's own sentence. */
export function ErrorBox({ error, onRetry, onFields, children }: Props) {
  const { code, message, details } = error.boundary;
  const words = ERRORS[code] ?? ERRORS.internal;
  const navigation = useOptionalNavigation();
  const section = SECTIONS[words.actionKind];
  const toSettings = section && navigation ? () => navigation.go('settings', section) : undefined;
  const run = words.actionKind === 'retry' ? onRetry : words.actionKind === 'fields' ? onFields : toSettings;
  // The sentence of the core often is that of the only field: it is said once.
  const more = details.filter((detail) => !message.includes(detail.message));
  return (
    <div className={`problem-box ${words.severity}`} role="alert">
      <Icon name={words.severity} />
      <div>
        <strong>{words.title}</strong>
        <p>{words.text}</p>
        {message !== '' && <p className="told">{message}</p>}
        {more.length > 0 && (
          <ul>
            {more.map((detail) => (
              <li key={`${detail.pointer} ${detail.message}`}>{detail.message}</li>
            ))}
          </ul>
        )}
        {children}
        {run && (
          <Button small onClick={() => void run()}>
            {words.action}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The error of a query, with the way to ask again; nothing while there is none. */
export function QueryError({ of }: { of: { error: OperationError | null; refetch(): unknown } }) {
  return of.error && <ErrorBox error={of.error} onRetry={of.refetch} />;
}
