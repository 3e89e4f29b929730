import { useEffect, useState } from 'react';

import { Button, CloseButton } from '../../components';
import { ERRORS } from '../../errors/errorTable';
import { useToasts } from '../../operations';
import { useToastState } from '../../operations/toasts';

/** Short messages in the corner, and announcements for screen readers. */
export function Toasts() {
  const { toasts } = useToastState();
  const { closeToast, holdToasts } = useToasts();
  const dismiss = (id: number) => {
    closeToast(id);
    // What is removed tells of no leaving.
    holdToasts(false);
  };
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
        {toasts.map(({ id, text, error, undo }) => (
          // Not an alert: within the region it would be read twice.
          <div key={id} className={`notice floating ${error ? 'failure' : ''}`}>
            <span>
              {error && <strong>{ERRORS[error.boundary.code]?.title ?? ERRORS.internal.title}. </strong>}
              {text}
            </span>
            {undo && (
              <Button
                small
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
