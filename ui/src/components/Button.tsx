import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';

import { useTell } from '../operations/toasts';
import { ariaKeys, showKeys } from '../values/shortcuts';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  small?: boolean;
  /** Shortcut shown on the button, such as `Mod+S`. */
  keys?: string;
  /**
   * Why it does nothing now; empty or false where it does. It keeps its place in the order of Tab and the focus
   * it has, and says so when it is pressed or pointed at.
   */
  off?: string | false | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
  small = false,
  keys,
  off,
  children,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: Props) {
  const tell = useTell();
  const explain = (event: MouseEvent) => {
    // A form is not sent by it either.
    event.preventDefault();
    if (off) tell(off);
  };
  return (
    <button
      {...rest}
      {...(off ? { 'aria-disabled': true, 'data-off': true, title: off } : {})}
      onClick={off ? explain : onClick}
      // oxlint-disable-next-line react/button-has-type
      type={type}
      className={`btn ${look} ${small ? 'small' : ''} ${className}`}
      aria-keyshortcuts={keys ? ariaKeys(keys) : undefined}
    >
      {children}
      {keys && <Keys of={keys} />}
    </button>
  );
}

/** A shortcut beside its action; read out through `aria-keyshortcuts` of the action itself. */
export function Keys({ of }: { of: string }) {
  return (
    <kbd className="keys" aria-hidden="true">
      {showKeys(of)}
    </kbd>
  );
}
