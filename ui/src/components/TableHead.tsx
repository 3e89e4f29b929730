/** A column's heading: a word, one over figures, or one that only screen readers have. */
type ColumnHead = string | { num: string } | { hidden: string };

/** The headings of a table. */
export function TableHead({ columns }: { columns: readonly ColumnHead[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          typeof column === 'string' ? (
            <th key={column} scope="col">
              {column}
            </th>
          ) : 'num' in column ? (
            <th key={column.num} scope="col" className="num">
              {column.num}
            </th>
          ) : (
            <th key={column.hidden} scope="col">
              <span className="only-read">{column.hidden}</span>
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
