import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';

import { createRequiredContext } from '../components/requiredContext';
import type { OperationError } from '../platform';

interface Toast {
  id: number;
  text: string;
  /** A failure stays until it is closed. */
  error: OperationError | null;
  /** Undoes what the text says was done. */
  undo: (() => void) | null;
  /** What a failure offers to do. */
  offers: ToastOffer[];
}

/** A button of a toast. */
interface ToastOffer {
  label: string;
  run(): void;
}

/** Shows and announces messages; the same object as long as the window is open. */
interface ToastActions {
  /** With `undo`, a button in the toast undoes what was done. */
  showToast(text: string, undo?: () => void): void;
  showError(error: OperationError): void;
  /** The same in these words, with buttons that do something about it. */
  showOffers(error: OperationError, text: string, offers: ToastOffer[]): void;
  announce(text: string): void;
  closeToast(id: number): void;
  /** While the pointer or the focus is in the toasts, none of them expires. */
  holdToasts(held: boolean): void;
}

interface ToastState {
  toasts: Toast[];
  /** Text for screen readers only; a new object each time, so that the same text is announced again. */
  announcement: { text: string };
}

const NOTHING = { text: '' };
const [ToastActionsProvider, useToasts, useOptionalToasts] = createRequiredContext<ToastActions>('toasts');
export { useToasts };
const ToastStateContext = createContext<ToastState>({ toasts: [], announcement: NOTHING });
const SHOWN_MS = 6000;
/** What slow readers need for each letter. */
const LETTER_MS = 80;
/** Time to see that it was the wrong row, and to reach the button. */
const UNDO_SHOWN_MS = 15_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [announcement, setAnnouncement] = useState(NOTHING);
  const nextId = useRef(1);
  const isHeld = useRef(false);
  /** Toasts whose time ran out while they were held. */
  const expiredIds = useRef(new Set<number>());
  const closeToast = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const holdToasts = useCallback((held: boolean) => {
    isHeld.current = held;
    if (held) return;
    const expired = new Set(expiredIds.current);
    expiredIds.current.clear();
    if (expired.size > 0) setToasts((all) => all.filter((toast) => !expired.has(toast.id)));
  }, []);
  const addToast = useCallback(
    (text: string, error: OperationError | null, undo: (() => void) | null, offers: ToastOffer[] = []) => {
      const id = nextId.current++;
      // A key that is held says the same many times: it is there once. Two things that were done are two.
      const isSame = (toast: Toast) => !error && !undo && !toast.error && !toast.undo && toast.text === text;
      setToasts((all) => [...all.filter((toast) => !isSame(toast)).slice(-2), { id, text, error, undo, offers }]);
      const expire = () => (isHeld.current ? expiredIds.current.add(id) : closeToast(id));
      if (!error) setTimeout(expire, Math.max(undo ? UNDO_SHOWN_MS : SHOWN_MS, text.length * LETTER_MS));
    },
    [closeToast],
  );
  const showToast = useCallback((text: string, undo?: () => void) => addToast(text, null, undo ?? null), [addToast]);
  const announce = useCallback((text: string) => setAnnouncement({ text }), []);
  const showError = useCallback(
    (error: OperationError) => {
      // Closing a file dialog is a decision, not a failure.
      if (error.boundary.code !== 'canceled') addToast(error.boundary.message, error, null);
    },
    [addToast],
  );
  const showOffers = useCallback(
    (error: OperationError, text: string, offers: ToastOffer[]) => addToast(text, error, null, offers),
    [addToast],
  );
  const toastActions = useMemo(
    () => ({ showToast, showError, showOffers, announce, closeToast, holdToasts }),
    [showToast, showError, showOffers, announce, closeToast, holdToasts],
  );
  const toastState = useMemo(() => ({ toasts, announcement }), [toasts, announcement]);
  return (
    <ToastActionsProvider value={toastActions}>
      <ToastStateContext.Provider value={toastState}>{children}</ToastStateContext.Provider>
    </ToastActionsProvider>
  );
}

/** The toasts and the announcement, for the region that shows them. */
export const useToastState = (): ToastState => useContext(ToastStateContext);

const doNothing = () => undefined;

/** Announces text to screen readers only; without a provider, as in the test of a single control, does nothing. */
export const useAnnounce = (): ((text: string) => void) => useOptionalToasts()?.announce ?? doNothing;

/** Shows a toast; without a provider, as in the test of a single control, does nothing. */
export const useToast = (): ((text: string) => void) => useOptionalToasts()?.showToast ?? doNothing;
