import { useState } from 'react';

import { useActions, useRunAction } from '../../../actions/ActionRegistry';
import type { MenuPoint } from '../../../components/grid/useGridInput';
import type { GridMenuEntry } from '../../../components/grid/GridMenu';
import { isSingleCell, keepRanges } from '../../../components/grid/selection';
import { useToasts } from '../../../operations';
import { formatShortcut, pluralize } from '../../../values';
import { type BordereauColumn, moveColumns, useImportFields } from '../bordereauFields';
import { FIT_COLUMN, type GridLayoutState } from '../grid/useGridLayout';
import type { ReviewPanel } from './ReviewDialogs';
import type { useReviewGrid } from './useReviewGrid';
import { ALL_ROWS } from './useRowsQuery';

interface Options {
  grid: ReturnType<typeof useReviewGrid>;
  columns: BordereauColumn[];
  /** Columns that are matched, hidden ones too. */
  matched: BordereauColumn[];
  layout: GridLayoutState;
  open(panel: ReviewPanel): void;
}

/** What can be done with the selection and its column: in the menu of the grid, and in the palette. */
export function useGridMenu({ grid, columns, matched, layout: { layout, change }, open }: Options) {
  const [point, setPoint] = useState<MenuPoint | null>(null);
  const runAction = useRunAction();
  const { showToast } = useToasts();
  const fields = useImportFields();
  const { selection, range, rowsQuery } = grid;
  const { query } = rowsQuery;
  const place = Math.min(selection.active.column, columns.length - 1);
  const column = columns[place];
  const number = column?.column ?? 0;
  const title = fields.find(column?.field ?? '').title;
  const picked = columns
    .filter((_, at) => grid.ranges.some(({ left, right }) => at >= left && at <= right))
    .map((each) => each.field ?? '');
  const hidden = matched.filter((each) => layout.hidden.includes(each.field ?? ''));
  const isAsked = query.columns.length > 0 || query.code !== '' || query.sort !== null;
  const unfilter = () => rowsQuery.set({ ...ALL_ROWS, filter: query.filter });
  /** Columns to the place before another. */
  const moveTo = (from: number, count: number, to: number) => {
    change({ order: moveColumns(columns, from, count, to), file_order: false });
    return to > from ? to - count : to;
  };
  const move = (by: -1 | 1) => {
    const moved = { ...selection.active, column: moveTo(place, 1, by < 0 ? place - 1 : place + 2) };
    grid.select({ anchor: moved, active: moved });
  };
  /** Headings were dragged: the columns stay selected where they are now. */
  const drop = (from: number, count: number, to: number) => {
    const first = moveTo(from, count, to);
    grid.select({
      anchor: { row: Math.max(0, (grid.total ?? 1) - 1), column: first },
      active: { row: 0, column: first + count - 1 },
    });
  };
  const filterByThis = async () => {
    const [row] = await grid.load(selection.active.row, selection.active.row);
    if (row && column)
      rowsQuery.filterColumn({ column: number, text: '', values: [(row.cells[column.cell] ?? '').trim()] });
  };
  const paste = async () => {
    // Not every web view reads the clipboard without the key.
    const text = await navigator.clipboard?.readText().catch(() => null);
    if (text) await grid.commands.paste(text);
    else showToast(`Press ${formatShortcut('Mod+V')} to paste.`);
  };
  const isSortedBy = (descending: boolean) => query.sort?.column === number && query.sort.descending === descending;
  const hide = () => {
    if (picked.length === columns.length) return showToast('One column has to stay.');
    return change({ hidden: [...new Set([...layout.hidden, ...picked])] });
  };
  const freeze = () => change({ frozen: range.right + 1 });
  const sort = (descending: boolean) => rowsQuery.sort({ column: number, descending });
  const ofRows = present([
    { id: 'replace', title: 'Find and replace…', keys: 'Mod+H', run: () => open('replace') },
    {
      id: 'filter',
      title: `Filter by ${title}…`,
      keys: 'Alt+Shift+ArrowDown',
      run: () => open({ filter: number, title }),
    },
    isSingleCell(range) && { id: 'filter-value', title: 'Filter by this value', run: filterByThis },
    !isSortedBy(false) && { id: 'ascending', title: 'Sort ascending', run: () => sort(false) },
    !isSortedBy(true) && { id: 'descending', title: 'Sort descending', run: () => sort(true) },
    isAsked && { id: 'unfilter', title: 'Clear filters and sorting', keys: 'Mod+Shift+L', run: unfilter },
  ]);
  const hiddenCount = pluralize(hidden.length, 'hidden column');
  const ofColumns = present([
    place > 0 && { id: 'left', title: 'Move column left', run: () => move(-1) },
    place < columns.length - 1 && { id: 'right', title: 'Move column right', run: () => move(1) },
    { id: 'hide', title: picked.length > 1 ? `Hide ${pluralize(picked.length, 'column')}` : 'Hide column', run: hide },
    hidden.length > 0 && { id: 'unhide', title: `Show ${hiddenCount}`, run: () => change({ hidden: [] }) },
    layout.frozen !== range.right + 1 && { id: 'freeze', title: 'Freeze up to this column', run: freeze },
    layout.frozen > 0 && { id: 'unfreeze', title: 'Unfreeze columns', run: () => change({ frozen: 0 }) },
  ]);
  const { copy, cut, clear, fill } = grid.commands;
  const groups: GridMenuEntry[][] = [
    [
      { id: 'cut', title: 'Cut', keys: 'Mod+X', run: cut },
      { id: 'copy', title: 'Copy', keys: 'Mod+C', run: copy },
      { id: 'paste', title: 'Paste', keys: 'Mod+V', run: paste },
      { id: 'clear', title: 'Clear', keys: 'Delete', run: clear },
    ],
    [
      { id: 'down', title: 'Fill down', keys: 'Mod+D', run: () => fill('down') },
      { id: 'right-fill', title: 'Fill right', keys: 'Mod+R', run: () => fill('right') },
      {
        id: 'add-range',
        title: 'Keep selected and select more',
        keys: 'Mod+Shift+A',
        run: () => grid.select(keepRanges(selection)),
      },
      { id: 'exclude', title: 'Exclude or include rows', keys: 'Mod+Delete', run: grid.exclude },
    ],
    ofRows,
    [{ ...FIT_COLUMN, run: () => runAction(FIT_COLUMN.id) }, ...ofColumns],
  ];
  useActions(
    [...ofRows, ...ofColumns].map(({ id, title: words, keys, run }) => ({
      id: `column.${id}`,
      title: words,
      group: 'Grid',
      ...(keys ? { keys } : {}),
      run: () => void run(),
    })),
  );
  return { point, drop, show: setPoint, close: () => setPoint(null), groups, unfilter, titleOf };

  function titleOf(of: number): string {
    return fields.find(matched.find((each) => each.column === of)?.field ?? '').title;
  }
}

/** Those that are possible now. */
function present(entries: (GridMenuEntry | false)[]): GridMenuEntry[] {
  return entries.filter((entry) => entry !== false);
}
