import type { ReactNode } from 'react';

import { ERRORS, type ErrorAction } from '../errors/errorTable';
import type { OperationError } from '../platform';
import { Button } from './Button';
import { Icon } from './Icon';

interface Props {
  error: OperationError;
  /** Runs the table's remedy; without it, or where the table has none, no button is shown. */
  onAction?: ((remedy: ErrorAction) => void) | undefined;
  children?: ReactNode;
}

/** What happened, what was kept, what to do; then the core's own sentence. */
export function ErrorBox({ error, onAction, children }: Props) {
  const { code, message, details } = error.boundary;
  const words = ERRORS[code] ?? ERRORS.internal;
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
        {onAction && words.actionKind !== 'none' && (
          <Button small onClick={() => onAction(words.actionKind)}>
            {words.action}
          </Button>
        )}
      </div>
    </div>
  );
}
