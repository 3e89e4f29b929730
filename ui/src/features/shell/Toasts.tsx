import { useEffect, useRef, useState } from 'react';

import { Button, CloseButton } from '../../components';
import { ERRORS } from '../../errors/errorTable';
import { useToasts } from '../../operations';
import type { OperationError } from '../../platform';
import { useToastState } from '../../operations/toasts';
import { matchesShortcut } from '../../values/shortcuts';

/** Short messages in the corner, and announcements for screen readers. */
export function Toasts() {
  const { toasts } = useToastState();
  const { closeToast, holdToasts } = useToasts();
  const dismiss = (id: number) => {
    closeToast(id);
    // What is removed tells of no leaving.
    holdToasts(false);
  };
  const undoable = toasts.findLast(({ undo }) => undo);
  useUndoKey(undoable?.id, () => {
    if (undoable) dismiss(undoable.id);
    undoable?.undo?.();
  });
  return (
    <>
      <AnnouncementRegion />
      {/* The region is there before its news: what comes into it is read out. Pointing at it only holds them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className="notices"
        // A dialog hides the page from screen readers, but not its news, and a click on them does not close it.
        data-react-aria-top-layer="true"
        role="region"
        aria-label="Notifications"
        aria-live="polite"
        aria-relevant="additions"
        onPointerEnter={() => holdToasts(true)}
        onPointerLeave={() => holdToasts(false)}
        onFocus={() => holdToasts(true)}
        onBlur={() => holdToasts(false)}
      >
        {toasts.map(({ id, text, error, undo, offers }) => (
          // Not an alert: within the region it would be read twice.
          <div key={id} className={`notice floating ${error ? 'failure' : ''}`}>
            <div className="news">
              {error && <ErrorTitle error={error} text={text} />}
              {text}
              {offers.length > 0 && (
                <div className="offers">
                  {offers.map((offer) => (
                    <Button
                      key={offer.label}
                      small
                      onClick={() => {
                        dismiss(id);
                        offer.run();
                      }}
                    >
                      {offer.label}
                    </Button>
                  ))}
                </div>
              )}
            </div>
            {undo && (
              <Button
                small
                {...(id === undoable?.id ? { keys: 'Mod+Z' } : {})}
                aria-label={`Undo: ${text}`}
                onClick={() => {
                  dismiss(id);
                  undo();
                }}
              >
                Undo
              </Button>
            )}
            <CloseButton label="Close message" onClick={() => dismiss(id)} />
          </div>
        ))}
      </div>
    </>
  );
}

/** Ctrl+Z undoes what the newest toast offers to undo, until something is typed; a view's own undo comes first. */
function useUndoKey(id: number | undefined, undo: () => void): void {
  const latest = useRef(undo);
  useEffect(() => {
    latest.current = undo;
  });
  useEffect(() => {
    if (id === undefined) return;
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    // Registered after the keys of the views, which have prevented what they handle.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesShortcut(event, 'Mod+Z') || document.querySelector('[role="dialog"]'))
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKey, options);
    window.addEventListener('input', () => listening.abort(), options);
    return () => listening.abort();
  }, [id]);
}

/** The same words said twice are read twice: the region is empty for a moment between. */
function AnnouncementRegion() {
  const { announcement } = useToastState();
  const [now, setNow] = useState(announcement);
  useEffect(() => {
    const timer = setTimeout(() => setNow(announcement));
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    <div className="only-read spoken" role="status" aria-live="polite" data-live-announcer="true">
      {/* A new element each time: WebKit on Linux tells of elements that come, not of text that changes. */}
      {now === announcement && now.text !== '' && <span>{now.text}</span>}
    </div>
  );
}

/** What kind of error it is, where its sentence does not begin with that. */
function ErrorTitle({ error, text }: { error: OperationError; text: string }) {
  const { title } = ERRORS[error.boundary.code] ?? ERRORS.internal;
  return text.startsWith(title) ? null : <strong>{title}. </strong>;
}
