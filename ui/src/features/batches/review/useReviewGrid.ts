import { useCallback, useRef, useState } from 'react';

import type { AreaChange, FoundCell, ReviewFind, ReviewView } from '../../../bindings/operations';
import { copyFormattedText, formatTableForCopy } from '../../../components/clipboard';
import { usePlatform, useToasts } from '../../../operations';
import { OperationError } from '../../../platform';
import { formatCount, formatShortcut, pluralize } from '../../../values';
import { type BordereauColumn, useImportFields } from '../bordereauFields';
import { buildCopyChange, buildFillChanges, buildTextChanges, toArea } from '../grid/cellAreas';
import { buildPasteEdits, joinRanges, parseCells, readCellTexts } from '../grid/clipboard';
import { findEdge } from '../grid/edge';
import {
  type CellRange,
  FIRST_CELL,
  type GridSelection,
  isSingleCell,
  selectCell,
  selectedRange,
  selectedRanges,
} from '../../../components/grid/selection';
import { MAX_LOADED_ROWS } from '../../../components/grid/usePagedRows';
import { type ReviewRows } from '../grid/useReviewRows';
import type { ReviewOperations } from './useReviewOperations';
import { ALL_ROWS, isNarrowed, useRowsQuery } from './useRowsQuery';

const cells = (count: number) => pluralize(count, 'cell');

/** A dialog that closes gives the focus back to where it came from, which may be nowhere: so many looks. */
const FOCUS_CHECKS = 90;
/** In the first looks the grid takes it even from what the dialog gave it back to. */
const FIRST_CHECKS = 10;

/** After a dialog or a button the keyboard is in the grid again. */
export function focusGrid(): void {
  const acted = new AbortController();
  const options = { capture: true, signal: acted.signal };
  for (const event of ['keydown', 'pointerdown']) document.addEventListener(event, () => acted.abort(), options);
  setTimeout(() => returnFocus(acted, FOCUS_CHECKS, true));
}

/** Not while a dialog holds the focus, and not away from where the person went meanwhile. */
function returnFocus(acted: AbortController, looks: number, anywhere: boolean): void {
  const grid = document.querySelector<HTMLElement>('[role="grid"]');
  if (!grid || looks === 0) {
    acted.abort();
    return;
  }
  const held = document.querySelector('[role="dialog"]') !== null;
  const lost = document.activeElement === null || document.activeElement === document.body;
  const takes = anywhere && (looks === FOCUS_CHECKS || !acted.signal.aborted);
  if (!held && (takes || lost)) grid.focus({ preventScroll: true });
  const again = anywhere && (held || looks > FOCUS_CHECKS - FIRST_CHECKS);
  requestAnimationFrame(() => returnFocus(acted, looks - 1, again));
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

  const text = (index: number, column: BordereauColumn, typed: string) => {
    const row = shown.current?.row(index);
    if (!row) return;
    const edits = [{ row: row.row, column: column.column, text: typed }];
    void work.edit(`Edit ${fields.find(column.field ?? '').short_title}`, edits);
  };
  const copy = async () => {
    const rows = shown.current;
    const table = joinRanges(ranges);
    if (!rows) return false;
    if (!table) {
      showToast('Only ranges with the same rows or the same columns can be copied together. Copy them one by one.');
      return false;
    }
    const count = table.rows.reduce((all, { top, bottom }) => all + bottom - top + 1, 0);
    if (count > MAX_LOADED_ROWS) {
      showToast(`You can copy up to ${formatCount(MAX_LOADED_ROWS)} rows at a time.`);
      return false;
    }
    // Without a wait where everything is here: the clipboard wants the key press itself.
    const here = table.rows.flatMap(({ top, bottom }) =>
      Array.from({ length: bottom - top + 1 }, (_, step) => rows.row(top + step)),
    );
    const all = here.filter((row) => row !== undefined);
    const picked = table.columns.flatMap((place) => columns[place] ?? []);
    const loaded =
      all.length === here.length
        ? all
        : (await Promise.all(table.rows.map(({ top, bottom }) => rows.load(top, bottom)))).flat();
    const lines = readCellTexts(loaded, picked);
    const formatted = formatTableForCopy(lines, false);
    const copied = await copyFormattedText(formatted.text, formatted.html);
    showToast(copied ? `Copied ${cells(lines.length * picked.length)}.` : 'Couldn’t copy to the clipboard.');
    return copied;
  };
  const clear = () => work.change('Clear', query, buildTextChanges(ranges, columns, ''));
  const changeRanges = async (verb: string, past: string, changes: AreaChange[]) => {
    if (changes.length === 0) return;
    const done = await work.change(verb, query, changes);
    if (done && done.total > 0) showToast(`${past} ${cells(done.total)}. Undo with ${formatShortcut('Mod+Z')}.`);
  };
  const fill = (direction: 'down' | 'right') =>
    changeRanges('Fill', 'Filled', buildFillChanges(ranges, columns, direction));
  /** The corner of the selection was dragged over more cells. */
  const fillFrom = async (source: CellRange, target: CellRange) => {
    select({
      anchor: { row: source.top, column: source.left },
      active: { row: target.bottom, column: target.right },
    });
    await changeRanges('Fill', 'Filled', [buildCopyChange(source, target, columns)]);
  };
  const cut = async () => {
    if (await copy()) await clear();
  };
  const paste = async (clipboard: string) => {
    const rows = shown.current;
    if (!rows) return;
    const read = parseCells(clipboard);
    const isOne = read.length === 1 && read[0]?.length === 1;
    if (isOne && !(ranges.length === 1 && isSingleCell(range)))
      return changeRanges('Paste', 'Pasted', buildTextChanges(ranges, columns, (read[0]?.[0] ?? '').trim()));
    if (read.length > MAX_LOADED_ROWS)
      return showToast(`You can paste up to ${formatCount(MAX_LOADED_ROWS)} rows at a time.`);
    const last = range.top + read.length - 1;
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
    const areas = ranges.map((each) => toArea(each, columns));
    const done = await work.run('review_exclude', { id, rows: query, areas, excluded: null });
    if (done) showToast(`${pluralize(done.rows, 'row')} ${done.excluded ? 'excluded' : 'included'}.`);
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
    go(await ask({ ...before, rows: ALL_ROWS, order: [] }));
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
    text,
    commands: { copy, clear, cut, fill, fillFrom, paste, edge },
    exclude,
    find,
    problem,
    first,
  };
}
