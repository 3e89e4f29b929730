import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';

import { useToast } from '../operations/toasts';
import { ariaShortcut, formatShortcut } from '../values';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  small?: boolean;
  /** Shortcut shown on the button, such as `Mod+S`. */
  keys?: string;
  /** What it started is still running: it is drawn so, and cannot start it twice. */
  busy?: boolean;
  /**
   * Why it does nothing now; empty or false where it does. It keeps its place in the order of Tab and the focus
   * it has, and says so when it is pressed or pointed at.
   */
  disabledReason?: string | false | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
  small = false,
  keys,
  busy = false,
  disabledReason,
  children,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const tell = useToast();
  const why = busy ? 'Working…' : disabledReason;
  const explainDisabled = (event: MouseEvent) => {
    // A form is not sent by it either.
    event.preventDefault();
    // The second press of a double click asks nothing.
    if (disabledReason && !busy && event.detail < 2) tell(disabledReason);
  };
  return (
    <button
      {...rest}
      {...(why ? { 'aria-disabled': true, title: why } : {})}
      {...(busy ? { 'aria-busy': true } : why ? { 'data-disabled': true } : {})}
      onClick={why ? explainDisabled : onClick}
      // oxlint-disable-next-line react/button-has-type
      type={type}
      className={`btn ${look} ${small ? 'small' : ''} ${className}`}
      aria-keyshortcuts={keys ? ariaShortcut(keys) : undefined}
    >
      {children}
      {keys && <ShortcutKeys keys={keys} />}
    </button>
  );
}

/** A shortcut beside its action; read out through `aria-keyshortcuts` of the action itself. */
export function ShortcutKeys({ keys }: { keys: string }) {
  return (
    <kbd className="keys" aria-hidden="true">
      {formatShortcut(keys)}
    </kbd>
  );
}
