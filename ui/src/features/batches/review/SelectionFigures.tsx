import { useEffect, useState } from 'react';

import type { RowView } from '../../../bindings/operations';
import { useDebounced } from '../../../components';
import { type CellRange, isSingleCell } from '../../../components/grid/selection';
import { formatAmount, formatCount } from '../../../values';
import type { BordereauColumn } from '../bordereauFields';
import { readCellTexts, sumCells } from '../grid/clipboard';
import { MAX_LOADED_ROWS } from '../../../components/grid/usePagedRows';

/** While the selection grows nothing is added up. */
const SETTLE_MS = 200;

interface Props {
  range: CellRange;
  columns: BordereauColumn[];
  load(top: number, bottom: number): Promise<RowView[]>;
}

/** Count, sum and average of what is selected, as the status line of a spreadsheet has them. */
export function SelectionFigures({ range, columns, load }: Props) {
  const settled = useDebounced(`${range.top} ${range.bottom} ${range.left} ${range.right}`, SETTLE_MS);
  const [figures, setFigures] = useState<(ReturnType<typeof sumCells> & { of: string }) | null>(null);
  useEffect(() => {
    const [top = 0, bottom = 0, left = 0, right = 0] = settled.split(' ').map(Number);
    if (isSingleCell({ top, bottom, left, right }) || bottom - top >= MAX_LOADED_ROWS) return undefined;
    let isCurrent = true;
    void load(top, bottom).then((rows) => {
      if (isCurrent) setFigures({ of: settled, ...sumCells(readCellTexts(rows, columns.slice(left, right + 1))) });
    });
    return () => {
      isCurrent = false;
    };
  }, [settled, columns, load]);
  if (figures?.of !== settled || isSingleCell(range)) return null;
  return (
    <span role="status" className="quiet-text">
      Selected <b>{formatCount(figures.count)}</b>
      {figures.numbers > 0 && (
        <>
          {' '}
          sum <b>{formatAmount(figures.sum)}</b> average <b>{formatAmount(figures.average)}</b>
        </>
      )}
    </span>
  );
}
