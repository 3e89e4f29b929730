import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';

import type { OperationError } from '../platform';

export interface Notice {
  id: number;
  text: string;
  /** A failure stays until it is closed. */
  error: OperationError | null;
}

/** Says things; the same object as long as the window is open. */
interface Speaker {
  tell(text: string): void;
  fail(error: OperationError): void;
  say(text: string): void;
  close(id: number): void;
  /** Somebody points at the messages or has the focus in them: none goes away meanwhile. */
  hold(held: boolean): void;
}

interface News {
  notices: Notice[];
  /** Words for screen readers only; a new object each time, so that the same words are said again. */
  spoken: { text: string };
}

const NOTHING = { text: '' };
const SpeakerContext = createContext<Speaker | null>(null);
const NewsContext = createContext<News>({ notices: [], spoken: NOTHING });
const SHOWN_MS = 6000;
/** Slow readers need about that for each letter. */
const LETTER_MS = 80;

export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const [spoken, setSpoken] = useState(NOTHING);
  const next = useRef(1);
  const held = useRef(false);
  /** What would have gone while it was held. */
  const due = useRef(new Set<number>());
  const close = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const hold = useCallback((on: boolean) => {
    held.current = on;
    if (on) return;
    const gone = new Set(due.current);
    due.current.clear();
    if (gone.size > 0) setNotices((all) => all.filter((notice) => !gone.has(notice.id)));
  }, []);
  const add = useCallback(
    (text: string, error: OperationError | null) => {
      const id = next.current++;
      setNotices((all) => [...all.slice(-2), { id, text, error }]);
      const end = () => (held.current ? due.current.add(id) : close(id));
      if (!error) setTimeout(end, Math.max(SHOWN_MS, text.length * LETTER_MS));
    },
    [close],
  );
  const tell = useCallback((text: string) => add(text, null), [add]);
  const say = useCallback((text: string) => setSpoken({ text }), []);
  const fail = useCallback(
    (error: OperationError) => {
      // Closing a dialog is a decision, not a failure.
      if (error.boundary.code !== 'cancelled') add(error.boundary.message, error);
    },
    [add],
  );
  const speaker = useMemo(() => ({ tell, fail, say, close, hold }), [tell, fail, say, close, hold]);
  const news = useMemo(() => ({ notices, spoken }), [notices, spoken]);
  return (
    <SpeakerContext.Provider value={speaker}>
      <NewsContext.Provider value={news}>{children}</NewsContext.Provider>
    </SpeakerContext.Provider>
  );
}

export function useNotices(): Speaker {
  const speaker = useContext(SpeakerContext);
  if (!speaker) throw new Error('There is no NoticeProvider above this component.');
  return speaker;
}

/** What was told and said: for the corner that shows it. */
export const useNews = (): News => useContext(NewsContext);

const quiet = () => undefined;

/** Says something to screen readers only; where nothing listens, as in the test of a single control, nothing. */
export function useSay(): (text: string) => void {
  return useContext(SpeakerContext)?.say ?? quiet;
}

/** Tells something in the corner; where there is no corner, as in the test of a single control, nothing. */
export function useTell(): (text: string) => void {
  return useContext(SpeakerContext)?.tell ?? quiet;
}
