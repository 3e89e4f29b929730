import type { CSSProperties } from 'react';

import type { StampView } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { copyFormatted } from '../../components/clipboard';
import { OutsideHtml } from '../../components/UntrustedHtml';
import { sanitise } from '../../components/sanitizeHtml';
import { useNotices } from '../../operations/toasts';

/** Colours that would vanish on our own paper are shown as ink; the copy keeps what the state wants. */
const INK = new Set(['', 'black', '#000', '#000000', 'white', '#fff', '#ffffff']);
const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]{3,20})$/i;

function look(stamp: StampView): CSSProperties {
  const colour = (stamp.color ?? '').trim().toLowerCase();
  return {
    fontSize: `${Math.min(Math.max(stamp.font_size ?? 11, 8), 16) * 0.1333}rem`,
    fontWeight: stamp.bold ? 700 : 400,
    fontStyle: stamp.italic ? 'italic' : 'normal',
    ...(COLOUR.test(colour) && !INK.has(colour) ? { color: `color-mix(in srgb, ${colour} 70%, var(--ink))` } : {}),
  };
}

/** The wording for the clipboard, with its own format in the markup that word processors read. */
export function stampHtml(stamp: StampView): string {
  const colour = COLOUR.test(stamp.color ?? '') ? (stamp.color ?? 'black') : 'black';
  const style = [
    `font-size:${stamp.font_size ?? 11}pt`,
    `font-weight:${stamp.bold ? 'bold' : 'normal'}`,
    `font-style:${stamp.italic ? 'italic' : 'normal'}`,
    `color:${colour}`,
  ].join(';');
  return `<div style="${style}">${sanitise(stamp.html)}</div>`;
}

export function Stamps({ stamps, state }: { stamps: StampView[]; state: string }) {
  if (stamps.length === 0)
    return <p className="none">No stamp wording is known for {state}. Check the state’s own page before binding.</p>;
  return stamps.map((stamp) => <Stamp key={stamp.text} stamp={stamp} />);
}

function Stamp({ stamp }: { stamp: StampView }) {
  const { tell } = useNotices();
  const copy = async () => {
    const copied = await copyFormatted(stamp.text, stampHtml(stamp));
    tell(
      copied
        ? 'Stamp wording copied with its formatting.'
        : 'The clipboard did not take it: select the wording and copy it.',
    );
  };
  const where = [stamp.format, stamp.instructions ?? ''].filter(Boolean).join('. ');
  return (
    <>
      <OutsideHtml className="stamp" html={stamp.html} style={look(stamp)} />
      <div className="stamp-foot">
        <Button small onClick={() => void copy()}>
          Copy with formatting
        </Button>
        <span className="quiet-text">{where}</span>
      </div>
    </>
  );
}
