import { useEffect, useState } from 'react';

import { Icon } from '../../components/Icon';
import { ERRORS } from '../../errors/errorTable';
import { useNews, useNotices } from '../../operations/toasts';

/** Short news in the corner, and what screen readers are told. */
export function Notices() {
  const { notices } = useNews();
  const { close, hold } = useNotices();
  const dismiss = (id: number) => {
    close(id);
    // What is removed tells of no leaving.
    hold(false);
  };
  return (
    <>
      <Spoken />
      {/* The region is there before its news: what comes into it is read out. Pointing at it only holds them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className="notices"
        // A dialog hides the page from screen readers, but not its news, and a click on them does not close it.
        data-react-aria-top-layer="true"
        role="region"
        aria-label="News"
        aria-live="polite"
        aria-relevant="additions"
        onPointerEnter={() => hold(true)}
        onPointerLeave={() => hold(false)}
        onFocus={() => hold(true)}
        onBlur={() => hold(false)}
      >
        {notices.map(({ id, text, error }) => (
          // No alert of its own within the region: it would be read twice.
          <div key={id} className={`notice ${error ? 'failure' : ''}`}>
            <span>
              {error && <strong>{ERRORS[error.boundary.code]?.title ?? ERRORS.internal.title}. </strong>}
              {text}
            </span>
            <button type="button" className="icon-button" aria-label="Close this message" onClick={() => dismiss(id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}

/** The same words said twice are read twice: the region is empty for a moment between. */
function Spoken() {
  const { spoken } = useNews();
  const [now, setNow] = useState(spoken);
  useEffect(() => {
    const timer = setTimeout(() => setNow(spoken));
    return () => clearTimeout(timer);
  }, [spoken]);
  return (
    <div className="only-read spoken" role="status" aria-live="polite" data-live-announcer="true">
      {/* A new element each time: WebKit on Linux tells of elements that come, not of text that changes. */}
      {now === spoken && now.text !== '' && <span>{now.text}</span>}
    </div>
  );
}
