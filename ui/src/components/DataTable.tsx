import type { ReactNode } from 'react';

/** A column's heading: a word, one over figures, one that only screen readers have, one of more than words, or none. */
type ColumnHead =
  | string
  | { num: string; width?: string }
  | { text: string; width?: string; abbr?: string }
  | { hidden: string; width?: string }
  | { name: string; num: ReactNode }
  | false;

interface TableProps {
  /** What the table is about, for screen readers; not needed where a heading above it says so. */
  label?: string;
  className?: string;
  columns: readonly ColumnHead[];
  /** The rows; with `hasGroups` bodies of rows. */
  children: ReactNode;
  hasGroups?: boolean;
}

/** Every table of the window but the two large grids. */
export function DataTable({ label, className, columns, children, hasGroups }: TableProps) {
  return (
    <table className={className} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => {
            if (column === false) return null;
            const { key, content, width, abbr, isNumeric } = describeHead(column);
            return (
              <th key={key} scope="col" abbr={abbr} className={isNumeric ? 'num' : undefined} style={{ width }}>
                {content}
              </th>
            );
          })}
        </tr>
      </thead>
      {hasGroups ? children : <tbody>{children}</tbody>}
    </table>
  );
}

interface HeadParts {
  key: string;
  content: ReactNode;
  width?: string | undefined;
  abbr?: string | undefined;
  isNumeric?: boolean;
}

function describeHead(column: Exclude<ColumnHead, false>): HeadParts {
  if (typeof column === 'string') return { key: column, content: column };
  if ('name' in column) return { key: column.name, content: column.num, isNumeric: true };
  if ('num' in column) return { key: column.num, content: column.num, width: column.width, isNumeric: true };
  if ('text' in column) return { key: column.text, content: column.text, width: column.width, abbr: column.abbr };
  return { key: column.hidden, content: <span className="only-read">{column.hidden}</span>, width: column.width };
}

interface CardProps extends TableProps {
  title: string;
  /** Behind the title, such as how many there are. */
  note?: ReactNode;
  /** Between the title and the table. */
  before?: ReactNode;
  /** In place of a table without rows. */
  none?: ReactNode;
  /** Below the table. */
  after?: ReactNode;
}

/** A table in a card under its title. */
export function TableCard({ title, note, before, none, after, ...table }: CardProps) {
  return (
    <section className="card" aria-label={title}>
      <h2>
        {title} {note && <span className="quiet-text">{note}</span>}
      </h2>
      {before}
      {none ? <p className="none">{none}</p> : <DataTable {...table} />}
      {after && <p className="none">{after}</p>}
    </section>
  );
}
