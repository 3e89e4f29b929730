import { useCallback, useEffect, useRef, useState } from 'react';

import type { FoundCell, ReviewFind, ReviewView } from '../../../bindings/operations';
import {
  FIRST_CELL,
  type GridSelection,
  selectCell,
  selectedRange,
  selectedRanges,
} from '../../../components/grid/selection';
import { usePlatform, useToasts } from '../../../operations';
import { OperationError } from '../../../platform';
import { formatCount } from '../../../values';
import { type BordereauColumn, useImportFields } from '../bordereauFields';
import { readCellTexts } from '../grid/clipboard';
import { findEdge } from '../grid/edge';
import type { ReviewRows } from '../grid/useReviewRows';
import { focusGrid } from './focusGrid';
import { useCellEdits } from './useCellEdits';
import type { ReviewOperations } from './useReviewOperations';
import { ALL_ROWS, useRowsQuery } from './useRowsQuery';

/** Where the person is in the grid of a review, what is selected, and what is looked for. */
export function useReviewGrid(
  review: ReviewView,
  columns: BordereauColumn[],
  work: ReviewOperations,
  /** Something was found in a column that is folded away. */
  onFolded: () => void,
) {
  const platform = usePlatform();
  const { showToast, showError } = useToasts();
  const fields = useImportFields();
  const [selection, select] = useState<GridSelection>(FIRST_CELL);
  const rowsQuery = useRowsQuery(() => select(FIRST_CELL));
  const { query } = rowsQuery;
  const shown = useRef<ReviewRows | null>(null);
  const [shownTotal, setShownTotal] = useState<number | null>(null);
  const showRows = useCallback((rows: ReviewRows) => {
    shown.current = rows;
    setShownTotal(rows.total);
  }, []);
  const { id } = review;
  const range = selectedRange(selection);
  const ranges = selectedRanges(selection);
  /** The rows of a selection. */
  const load = useCallback(
    (top: number, bottom: number) => shown.current?.load(top, bottom) ?? Promise.resolve([]),
    [],
  );
  const told = (error: unknown) => {
    if (error instanceof OperationError) showError(error);
    return null;
  };

  const edits = useCellEdits({ id, columns, work, query, shown, selection, select });

  // The column of what was found is there once it is unfolded.
  const unfolding = useRef<FoundCell | null>(null);
  useEffect(() => {
    const found = unfolding.current;
    const column = columns.findIndex((each) => each.column === found?.column);
    if (!found || column < 0) return;
    unfolding.current = null;
    select(selectCell(found.index, column));
  }, [columns]);

  /** The active cell in words: `row 277, Insured`. */
  const place = () => {
    const row = shown.current?.row(selection.active.row);
    const column = columns[selection.active.column];
    return row && column ? `row ${formatCount(row.line)}, ${fields.find(column.field ?? '').title}` : '';
  };
  const go = (found: FoundCell | null) => {
    if (!found?.found) return found;
    const column = columns.findIndex((each) => each.column === found.column);
    if (column < 0) {
      unfolding.current = found;
      onFolded();
    }
    select(selectCell(found.index, Math.max(column, 0)));
    return found;
  };
  const ask = (change: Partial<ReviewFind>) =>
    platform
      .call('review_find', {
        id,
        text: '',
        rows: query,
        row: shown.current?.row(selection.active.row)?.row ?? 0,
        column: columns[selection.active.column]?.column ?? 0,
        backwards: false,
        order: columns.map(({ column }) => column),
        ...change,
      })
      .catch(told);
  const find = (words: string, backwards: boolean) => ask({ text: words, backwards }).then(go);
  const problem = async (backwards: boolean) => {
    const found = go(await ask({ backwards }));
    focusGrid();
    if (found && !found.found) showToast(backwards ? 'No issues before this cell.' : 'No issues after this cell.');
  };
  /** The first cell of a group, in all rows. */
  const first = async (row: number, column: number | null) => {
    rowsQuery.set(ALL_ROWS);
    const before =
      column === null || column === 0 ? { row: Math.max(row - 1, 0), column: 65_535 } : { row, column: column - 1 };
    go(await ask({ ...before, rows: ALL_ROWS, ...(column === null ? {} : { order: [] }) }));
  };
  /** Ctrl and an arrow: up and down the core looks in all rows, left and right the columns as they are shown. */
  const edge = async (key: string, extend: boolean) => {
    const from = selection.active;
    const backwards = key === 'ArrowUp' || key === 'ArrowLeft';
    const column = columns[from.column]?.column;
    if (column === undefined) return;
    const active = { ...from };
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const request = { id, rows: query, index: from.row, column, backwards };
      const found = await platform.call('review_edge', request).catch(told);
      if (!found?.found) return;
      active.row = found.index;
    } else {
      const [texts = []] = readCellTexts(await load(from.row, from.row), columns);
      active.column = findEdge(texts, from.column, backwards);
    }
    if (extend) select({ ...selection, active });
    else if (selection.isAdding) select({ ...selection, anchor: active, active });
    else select({ anchor: active, active });
  };
  return {
    selection,
    range,
    ranges,
    load,
    place,
    select,
    total: shownTotal,
    rowsQuery,
    showRows,
    text: edits.text,
    commands: { ...edits.commands, edge },
    exclude: edits.exclude,
    find,
    problem,
    first,
  };
}
