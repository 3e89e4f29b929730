import type { CSSProperties } from 'react';

import type { StampView } from '../../bindings/operations';
import { Button } from '../../components';
import { copyFormattedText } from '../../components/clipboard';
import { UntrustedHtml } from '../../components/UntrustedHtml';
import { sanitizeHtml } from '../../components/sanitizeHtml';
import { useToasts } from '../../operations';

/** Colors that would be invisible on the window’s background are shown as ink; the copy keeps the state’s color. */
const INK_COLORS = new Set(['', 'black', '#000', '#000000', 'white', '#fff', '#ffffff']);
const COLOR_PATTERN = /^(#[0-9a-f]{3,8}|[a-z]{3,20})$/i;

function stampStyle(stamp: StampView): CSSProperties {
  const color = (stamp.color ?? '').trim().toLowerCase();
  return {
    fontSize: `${Math.min(Math.max(stamp.font_size ?? 11, 8), 16) * 0.1333}rem`,
    fontWeight: stamp.bold ? 700 : 400,
    fontStyle: stamp.italic ? 'italic' : 'normal',
    ...(COLOR_PATTERN.test(color) && !INK_COLORS.has(color)
      ? { color: `color-mix(in srgb, ${color} 70%, var(--ink))` }
      : {}),
  };
}

/** The wording for the clipboard, with its own format in the markup that word processors read. */
export function buildStampHtml(stamp: StampView): string {
  const color = COLOR_PATTERN.test(stamp.color ?? '') ? (stamp.color ?? 'black') : 'black';
  const style = [
    `font-size:${stamp.font_size ?? 11}pt`,
    `font-weight:${stamp.bold ? 'bold' : 'normal'}`,
    `font-style:${stamp.italic ? 'italic' : 'normal'}`,
    `color:${color}`,
  ].join(';');
  return `<div style="${style}">${sanitizeHtml(stamp.html)}</div>`;
}

export function StampWordings({ stamps, state }: { stamps: StampView[]; state: string }) {
  if (stamps.length === 0)
    return <p className="none">No stamp wording found for {state}. Check the state’s website before binding.</p>;
  return stamps.map((stamp) => <StampWording key={stamp.text} stamp={stamp} />);
}

function StampWording({ stamp }: { stamp: StampView }) {
  const { showToast } = useToasts();
  const copy = async () => {
    const copied = await copyFormattedText(stamp.text, buildStampHtml(stamp));
    showToast(
      copied
        ? 'Stamp wording copied with formatting.'
        : 'Couldn’t copy to the clipboard. Select the wording and copy it.',
    );
  };
  const where = [stamp.format, stamp.instructions ?? ''].filter(Boolean).join('. ');
  return (
    <>
      <UntrustedHtml className="stamp" html={stamp.html} style={stampStyle(stamp)} />
      <div className="in-line stamp-foot">
        <Button small onClick={() => void copy()}>
          Copy with formatting
        </Button>
        <span className="quiet-text">{where}</span>
      </div>
    </>
  );
}
