import { memo, type ReactNode } from 'react';

import { findPlaces, type GridColumn } from './DataGridRow';

export interface HeadContent {
  title?: string | undefined;
  sort?: 'ascending' | 'descending' | undefined;
  content: ReactNode;
}

interface Props {
  columns: readonly GridColumn[];
  hasNumbers: boolean;
  /** Columns on the screen, from the first to behind the last. */
  from: number;
  to: number;
  frozen: number;
  /** Left edge of each column. */
  lefts: readonly number[];
  height: number;
  describeHead(place: number): HeadContent;
}

/** The headings; drawn again when the columns on the screen change, not with every row. */
export const DataGridHeads = memo(function DataGridHeads(props: Props) {
  const { columns, hasNumbers, from, to, frozen, lefts, height, describeHead } = props;
  const first = hasNumbers ? 2 : 1;
  return (
    <div role="rowgroup" className="heads" style={{ height }}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div role="row" aria-rowindex={1} className="row">
        {hasNumbers && (
          <div role="columnheader" aria-colindex={1} className="number">
            <span className="only-read">Row</span>
          </div>
        )}
        {findPlaces(columns.length, from, to, frozen, null).map((place) => {
          const column = columns[place];
          if (!column) return null;
          const isFrozen = place < frozen;
          const { title, sort, content } = describeHead(place);
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={place + first}
              aria-sort={sort}
              className={`cell${column.isNumeric ? ' num' : ''}${isFrozen ? ' frozen' : ''}`}
              data-heading={place}
              style={isFrozen ? { gridColumn: place + first, left: lefts[place] } : { gridColumn: place + first }}
              title={title}
            >
              {content}
            </div>
          );
        })}
      </div>
    </div>
  );
});
