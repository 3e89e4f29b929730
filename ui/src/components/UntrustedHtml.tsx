import { type CSSProperties, useMemo } from 'react';

import { sanitise } from './sanitizeHtml';

/** Shows HTML that came from outside, sanitised. */
export function OutsideHtml({ html, style, className }: { html: string; style?: CSSProperties; className?: string }) {
  const clean = useMemo(() => ({ __html: sanitise(html) }), [html]);
  // oxlint-disable-next-line react/no-danger
  return <div className={className} style={style} dangerouslySetInnerHTML={clean} />;
}
