import type { ReactNode } from 'react';

/** A column's heading: a word, one over figures, one that only screen readers have, or none. */
type ColumnHead =
  string | { num: string; width?: string } | { text: string; width: string } | { hidden: string } | false;

interface TableProps {
  /** What the table is about, for screen readers; not needed where a heading above it says so. */
  label?: string;
  className?: string;
  columns: readonly ColumnHead[];
  /** The rows; with `hasGroups` bodies of rows. */
  children: ReactNode;
  hasGroups?: boolean;
}

/** A table that is read, not edited: every list of the window. */
export function DataTable({ label, className, columns, children, hasGroups }: TableProps) {
  return (
    <table className={className} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => {
            if (column === false) return null;
            if (typeof column === 'object' && 'hidden' in column)
              return (
                <th key={column.hidden} scope="col">
                  <span className="only-read">{column.hidden}</span>
                </th>
              );
            const { text, className: kind, width } = describeHead(column);
            return (
              <th key={text} scope="col" className={kind} style={{ width }}>
                {text}
              </th>
            );
          })}
        </tr>
      </thead>
      {hasGroups ? children : <tbody>{children}</tbody>}
    </table>
  );
}

function describeHead(column: Exclude<ColumnHead, false | { hidden: string }>): {
  text: string;
  className?: string;
  width?: string | undefined;
} {
  if (typeof column === 'string') return { text: column };
  return 'num' in column ? { text: column.num, className: 'num', width: column.width } : column;
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
