import { useCallback, useRef, useState } from 'react';

import type { FoundCell, ReviewFind, ReviewView } from '../../../bindings/operations';
import { copyFormattedText, formatTableForCopy } from '../../../components/clipboard';
import { usePlatform, useToasts } from '../../../operations';
import { OperationError } from '../../../platform';
import { formatCount, formatShortcut, pluralize } from '../../../values';
import { type BordereauColumn, useImportFields } from '../bordereauFields';
import { readCellTexts, buildClearEdits, buildFillEdits, buildPasteEdits, parseCells } from '../grid/clipboard';
import { findEdge } from '../grid/edge';
import { selectCell, selectedRange, type GridSelection, FIRST_CELL } from '../../../components/grid/selection';
import { MAX_LOADED_ROWS } from '../../../components/grid/usePagedRows';
import { type ReviewRows } from '../grid/useReviewRows';
import type { ReviewOperations } from './useReviewOperations';
import { ALL_ROWS, isNarrowed, useRowsQuery } from './useRowsQuery';

const cells = (count: number) => pluralize(count, 'cell');

/** A dialog that closes gives the focus back to where it came from, which may be nowhere: so many looks. */
const FOCUS_CHECKS = 20;

/** After a dialog or a button the keyboard is in the grid again. */
export function focusGrid(): void {
  setTimeout(() => returnFocus(FOCUS_CHECKS, true));
}

/** Not while a dialog holds the focus, and not away from where the person went meanwhile. */
function returnFocus(looks: number, anywhere: boolean): void {
  const grid = document.querySelector<HTMLElement>('[role="grid"]');
  if (!grid || looks === 0) return;
  const held = document.querySelector('[role="dialog"]') !== null;
  const lost = document.activeElement === null || document.activeElement === document.body;
  if (!held && (anywhere || lost)) grid.focus({ preventScroll: true });
  requestAnimationFrame(() => returnFocus(looks - 1, held && anywhere));
}

/** What the person does in the grid of a review. */
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
  const picked = columns.slice(range.left, range.right + 1);
  /** The rows of a selection. */
  const load = useCallback(
    (top: number, bottom: number) => shown.current?.load(top, bottom) ?? Promise.resolve([]),
    [],
  );
  const told = (error: unknown) => {
    if (error instanceof OperationError) showError(error);
    return null;
  };

  const text = (index: number, column: BordereauColumn, typed: string) => {
    const row = shown.current?.row(index);
    if (!row) return;
    const edits = [{ row: row.row, column: column.column, text: typed }];
    void work.edit(`Edit ${fields.find(column.field ?? '').short_title}`, edits);
  };
  const copy = async () => {
    const rows = shown.current;
    if (!rows) return false;
    if (range.bottom - range.top >= MAX_LOADED_ROWS) {
      showToast(`You can copy up to ${formatCount(MAX_LOADED_ROWS)} rows at a time.`);
      return false;
    }
    // Without a wait where everything is here: the clipboard wants the key press itself.
    const here = Array.from({ length: range.bottom - range.top + 1 }, (_, step) => rows.row(range.top + step));
    const all = here.filter((row) => row !== undefined);
    const lines = readCellTexts(all.length === here.length ? all : await rows.load(range.top, range.bottom), picked);
    const formatted = formatTableForCopy(lines, false);
    const copied = await copyFormattedText(formatted.text, formatted.html);
    showToast(copied ? `Copied ${cells(lines.length * picked.length)}.` : 'Couldn’t copy to the clipboard.');
    return copied;
  };
  const clear = async () => {
    const edits = buildClearEdits(await load(range.top, range.bottom), picked);
    if (edits.length > 0) await work.edit(`Clear ${cells(edits.length)}`, edits);
  };
  /** Ctrl+D and Ctrl+R of spreadsheets; from the cell above or left of it where only one row or column is selected. */
  const fill = async (direction: 'down' | 'right') => {
    const isOneRow = direction === 'down' && range.top === range.bottom;
    const isOneColumn = direction === 'right' && range.left === range.right;
    const from = columns.slice(Math.max(0, range.left - (isOneColumn ? 1 : 0)), range.right + 1);
    const there = await load(Math.max(0, range.top - (isOneRow ? 1 : 0)), range.bottom);
    const edits = buildFillEdits(there, from, direction);
    if (edits.length === 0) return;
    await work.edit(`Fill ${cells(edits.length)}`, edits);
    showToast(`Filled ${cells(edits.length)}. Undo with ${formatShortcut('Mod+Z')}.`);
  };
  const cut = async () => {
    if (await copy()) await clear();
  };
  const paste = async (clipboard: string) => {
    const rows = shown.current;
    if (!rows) return;
    const read = parseCells(clipboard);
    const last = Math.max(range.bottom, range.top + read.length - 1);
    const total = rows.total ?? 0;
    const there = await rows.load(range.top, Math.min(last, total - 1));
    const isWhole = total > 0 && !isNarrowed(query) && query.sort === null;
    const end = isWhole ? (await rows.load(total - 1, total - 1))[0] : null;
    const edits = buildPasteEdits(read, range, {
      columns: columns.map((column) => column.column),
      rowAt: (index) => there[index - range.top]?.row ?? null,
      rows: total,
      next: end ? end.row + 1 : 0,
    }).filter((edit) => end || there.some((row) => row.row === edit.row));
    if (edits.length === 0) return;
    select({ anchor: { row: range.top, column: range.left }, active: { row: range.top, column: range.left } });
    await work.edit(`Paste ${cells(edits.length)}`, edits);
    showToast(`Pasted ${cells(edits.length)}. Undo with ${formatShortcut('Mod+Z')}.`);
  };
  const exclude = async () => {
    const rows = shown.current;
    if (!rows) return;
    const chosen = await rows.load(range.top, range.bottom);
    const out = !chosen.every((row) => row.excluded);
    await work.run('review_exclude', { id, rows: chosen.map((row) => row.row), excluded: out });
    const words = pluralize(chosen.length, 'row');
    showToast(out ? `${words} excluded.` : `${words} included.`);
  };

  /** The active cell in words: `row 277, Insured`. */
  const place = () => {
    const row = shown.current?.row(selection.active.row);
    const column = columns[selection.active.column];
    return row && column ? `row ${formatCount(row.line)}, ${fields.find(column.field ?? '').title}` : '';
  };
  const go = (found: FoundCell | null) => {
    const column = columns.findIndex((each) => each.column === found?.column);
    if (found?.found && found.column !== null && column < 0) onFolded();
    if (found?.found) select(selectCell(found.index, Math.max(column, 0)));
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
    go(await ask({ ...before, rows: ALL_ROWS }));
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
    select({ anchor: extend ? selection.anchor : active, active });
  };
  return {
    selection,
    range,
    load,
    place,
    select,
    total: shownTotal,
    rowsQuery,
    showRows,
    text,
    commands: { copy, clear, cut, fill, paste, edge },
    exclude,
    find,
    problem,
    first,
  };
}
