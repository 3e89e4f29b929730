import { useEffect, useRef } from 'react';

import { useAnnounce } from '../operations/toasts';
import { isFocusLost } from '../values/focus';

const APP_NAME = 'Bordereau';

/**
 * Name of what is on screen, and of the window. When a view replaces another, what had the focus is gone: the
 * keyboard and the screen reader go on here, not at the top of the window. Where the focus stays, as among the
 * names of the views, the name is said.
 */
export function ViewTitle({ children, className }: { children: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isNamed = useRef(false);
  const say = useAnnounce();
  useEffect(() => {
    const isStart = document.title === APP_NAME;
    document.title = `${children} - ${APP_NAME}`;
    if (isNamed.current) return;
    isNamed.current = true;
    if (isFocusLost()) heading.current?.focus({ preventScroll: true });
    else if (!isStart) say(children);
  }, [children, say]);
  return (
    <h1 ref={heading} tabIndex={-1} className={className} title={className === undefined ? undefined : children}>
      {children}
    </h1>
  );
}
