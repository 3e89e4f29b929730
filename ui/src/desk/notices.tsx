import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';

import type { OperationError } from '../platform';

export interface Notice {
  id: number;
  text: string;
  /** A failure stays until it is closed. */
  error: OperationError | null;
}

interface Speaker {
  notices: Notice[];
  /** Words for screen readers only. */
  spoken: string;
  tell(text: string): void;
  fail(error: OperationError): void;
  say(text: string): void;
  close(id: number): void;
}

const NoticeContext = createContext<Speaker | null>(null);
const SHOWN_MS = 6000;

export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const [spoken, setSpoken] = useState('');
  const next = useRef(1);
  const close = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const add = useCallback(
    (text: string, error: OperationError | null) => {
      const id = next.current++;
      setNotices((all) => [...all.slice(-2), { id, text, error }]);
      if (!error) setTimeout(() => close(id), SHOWN_MS);
    },
    [close],
  );
  const tell = useCallback((text: string) => add(text, null), [add]);
  const fail = useCallback(
    (error: OperationError) => {
      // Closing a dialog is a decision, not a failure.
      if (error.boundary.code !== 'cancelled') add(error.boundary.message, error);
    },
    [add],
  );
  const speaker = useMemo(
    () => ({ notices, spoken, tell, fail, say: setSpoken, close }),
    [notices, spoken, tell, fail, close],
  );
  return <NoticeContext.Provider value={speaker}>{children}</NoticeContext.Provider>;
}

export function useNotices(): Speaker {
  const speaker = useContext(NoticeContext);
  if (!speaker) throw new Error('There is no NoticeProvider above this component.');
  return speaker;
}
