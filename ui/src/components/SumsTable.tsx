import { DataTable } from './DataTable';

interface Props {
  /** What the table is about, for screen readers. */
  label: string;
  /** Headings: of the rows' names, then of each column of figures. */
  heads: readonly [string, ...string[]];
  rows: readonly SumsRow[];
}

interface SumsRow {
  key: string;
  title: string;
  /** As they are shown: amounts and counts, right-aligned. */
  figures: readonly string[];
  /** The last figure is what the row is about. */
  strong?: boolean;
}

/** Names with figures behind them: totals by state, differences, the figures of a chart. */
export function SumsTable({ label, heads: [first, ...figures], rows }: Props) {
  return (
    <DataTable label={label} className="sums" columns={[first, ...figures.map((num) => ({ num }))]}>
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row">{row.title}</th>
          {row.figures.map((figure, place) => (
            <td key={figures[place]} className={row.strong && place === row.figures.length - 1 ? 'num strong' : 'num'}>
              {figure}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
