import type { ColumnFilter, RowsQuery } from '../../../bindings/operations';
import { Button } from '../../../components';
import { formatCount, pluralize } from '../../../values';

interface Props {
  query: RowsQuery;
  /** Rows shown, null while they are looked for; and all of them. */
  shown: number | null;
  all: number;
  titleOf(column: number): string;
  onClear(): void;
}

/** Says which rows a card and columns let through and how they are sorted, and how to see all of them again. */
export function FilterStatus({ query, shown, all, titleOf, onClear }: Props) {
  if (query.columns.length === 0 && query.code === '' && query.sort === null) return null;
  const said = [
    query.code === '' ? '' : 'with the issue you chose',
    ...query.columns.map((filter) => describeFilter(filter, titleOf(filter.column))),
    query.sort ? `sorted by ${titleOf(query.sort.column)}, ${query.sort.descending ? 'descending' : 'ascending'}` : '',
  ].filter(Boolean);
  return (
    <div className="in-line filter-status" data-part>
      <span role="status">
        <b>
          {formatCount(shown ?? 0)} of {pluralize(all, 'row')}
        </b>{' '}
        {said.join('; ')}. What is sent doesn’t change.
      </span>
      <Button look="quiet" small keys="Mod+Shift+L" onClick={onClear}>
        {query.columns.length > 0 || query.code !== '' ? 'Clear filters' : 'Clear sorting'}
      </Button>
    </div>
  );
}

function describeFilter({ text, values }: ColumnFilter, title: string): string {
  const one = values.length === 1 ? `is ${values[0] === '' ? 'empty' : `“${values[0]}”`}` : '';
  const asks = [
    text && `contains “${text}”`,
    one || (values.length > 1 && `is one of ${pluralize(values.length, 'value')}`),
  ].filter(Boolean);
  return `${title} ${asks.join(' and ')}`;
}
