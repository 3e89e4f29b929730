import { type CSSProperties, useMemo } from 'react';

import { sanitizeHtml } from './sanitizeHtml';

/** Shows HTML that came from outside, sanitized. */
export function UntrustedHtml({ html, style, className }: { html: string; style?: CSSProperties; className?: string }) {
  const clean = useMemo(() => ({ __html: sanitizeHtml(html) }), [html]);
  // oxlint-disable-next-line react/no-danger
  return <div className={className} style={style} dangerouslySetInnerHTML={clean} />;
}
