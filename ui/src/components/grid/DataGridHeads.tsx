import { memo, type ReactNode } from 'react';

import type { GridColumn } from './DataGridRow';

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
  height: number;
  describeHead(place: number): HeadContent;
}

/** The headings; drawn again when the columns on the screen change, not with every row. */
export const DataGridHeads = memo(function DataGridHeads(props: Props) {
  const { columns, hasNumbers, from, to, height, describeHead } = props;
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
        {columns.slice(from, to).map((column, step) => {
          const place = from + step;
          const { title, sort, content } = describeHead(place);
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={place + first}
              aria-sort={sort}
              className={column.isNumeric ? 'cell num' : 'cell'}
              data-heading={place}
              style={{ gridColumn: place + first }}
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
