import { useEffect, useRef } from 'react';

import { isFocusLost } from '../values/focus';

/**
 * Name of what is on screen, and of the window. When a view replaces another, what had the focus is gone: the
 * keyboard and the screen reader go on here, not at the top of the window.
 */
export function ViewTitle({ children, className }: { children: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} - Bordereau`;
  }, [children]);
  useEffect(() => {
    if (isFocusLost()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className} title={className === undefined ? undefined : children}>
      {children}
    </h1>
  );
}
