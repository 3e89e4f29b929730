import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';

import { useToast } from '../operations/toasts';
import { ariaShortcut, formatShortcut } from '../values/shortcuts';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  small?: boolean;
  /** Shortcut shown on the button, such as `Mod+S`. */
  keys?: string;
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
  disabledReason,
  children,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: Props) {
  const tell = useToast();
  const explainDisabled = (event: MouseEvent) => {
    // A form is not sent by it either.
    event.preventDefault();
    if (disabledReason) tell(disabledReason);
  };
  return (
    <button
      {...rest}
      {...(disabledReason ? { 'aria-disabled': true, 'data-disabled': true, title: disabledReason } : {})}
      onClick={disabledReason ? explainDisabled : onClick}
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
