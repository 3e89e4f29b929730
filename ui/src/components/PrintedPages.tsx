import './printedPages.css';

import type { FormPage, PageMark } from '../bindings/operations';

/** The pages as they are printed, drawn from the same layout: the text can be read out, copied and enlarged. */
export function PrintedPages({ pages, name }: { pages: FormPage[]; name: string }) {
  return (
    <div className="stack">
      {pages.map((page, at) => (
        <svg
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          className="form-page"
          viewBox={`0 0 ${page.width} ${page.height}`}
          role="img"
          aria-label={`${name}, page ${at + 1} of ${pages.length}: ${pageText(page)}`}
        >
          {page.marks.map((mark, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <PageMarkShape key={index} mark={mark} />
          ))}
        </svg>
      ))}
    </div>
  );
}

function pageText(page: FormPage): string {
  return page.marks
    .map((mark) => mark.text?.trim() ?? '')
    .filter(Boolean)
    .join('. ');
}

function PageMarkShape({ mark }: { mark: PageMark }) {
  if (mark.image !== null)
    return <image href={mark.image} x={mark.x} y={mark.y} width={mark.width} height={mark.height} />;
  if (mark.text === null)
    return <rect className={`ink ${mark.ink}`} x={mark.x} y={mark.y} width={mark.width} height={mark.height} />;
  // The window's typeface is another one: each line is fitted into its printed width.
  const fitted = mark.width > 0 ? { textLength: mark.width, lengthAdjust: 'spacingAndGlyphs' as const } : {};
  return (
    <text
      className={`ink ${mark.ink} ${mark.bold ? 'bold' : ''}`}
      x={mark.x}
      y={mark.y}
      fontSize={mark.height}
      {...fitted}
    >
      {mark.text}
    </text>
  );
}
