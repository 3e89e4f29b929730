import type { ButtonHTMLAttributes, Ref } from 'react';

import { ariaKeys, showKeys } from '../values/keys';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  small?: boolean;
  /** Shortcut shown on the button, such as `Mod+S`. */
  keys?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
  small = false,
  keys,
  children,
  className = '',
  type = 'button',
  ...rest
}: Props) {
  return (
    <button
      {...rest}
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
