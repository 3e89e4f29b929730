import type { CellArea, RowsQuery } from '../../../bindings/operations';
import { useDebounced } from '../../../components';
import { useOperationQuery } from '../../../operations/useOperation';
import { formatAmount, formatCount } from '../../../values';

/** While the selection grows nothing is added up. */
const SETTLE_MS = 200;

interface Props {
  id: string;
  rows: RowsQuery;
  /** What is selected; empty for a single cell, which says its text itself. */
  areas: CellArea[];
}

/** Count, sum and average of all that is selected, as the status line of a spreadsheet has them. */
export function SelectionFigures({ id, rows, areas }: Props) {
  const asked = JSON.stringify({ id, rows, areas });
  const settled = useDebounced(asked, SETTLE_MS);
  const isAsked = settled === asked && areas.length > 0;
  const { data, isFetching } = useOperationQuery('review_figures', JSON.parse(settled) as Props, {
    enabled: isAsked,
    cacheMs: 0,
    alwaysRefetch: true,
  });
  if (!isAsked) return null;
  if (!data) return isFetching ? <span className="selection-figures quiet-text">Adding up…</span> : null;
  return (
    <span role="status" className="selection-figures quiet-text">
      Selected <b>{formatCount(data.filled)}</b>
      {data.amounts > 0 && (
        <>
          {' '}
          sum <b>{formatAmount(data.sum)}</b> average <b>{formatAmount(data.average)}</b>
        </>
      )}
    </span>
  );
}
