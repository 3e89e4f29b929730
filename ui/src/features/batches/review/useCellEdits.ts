import type { RefObject } from 'react';

import type { AreaChange, RowsQuery } from '../../../bindings/operations';
import { copyFormattedText, formatTableForCopy } from '../../../components/clipboard';
import {
  type CellRange,
  type GridSelection,
  isSingleCell,
  selectedRange,
  selectedRanges,
} from '../../../components/grid/selection';
import { MAX_LOADED_ROWS } from '../../../components/grid/usePagedRows';
import { useToasts } from '../../../operations';
import { formatCount, formatShortcut, pluralize } from '../../../values';
import { type BordereauColumn, useImportFields } from '../bordereauFields';
import { buildCopyChange, buildFillChanges, buildTextChanges, toArea } from '../grid/cellAreas';
import type { SeenCell } from '../grid/EditedCell';
import { buildPasteEdits, joinRanges, parseCells, readCellTexts } from '../grid/clipboard';
import type { ReviewRows } from '../grid/useReviewRows';
import type { ReviewOperations } from './useReviewOperations';
import { isNarrowed } from './useRowsQuery';

const cells = (count: number) => pluralize(count, 'cell');

interface EditOptions {
  id: string;
  columns: BordereauColumn[];
  work: ReviewOperations;
  query: RowsQuery;
  /** The rows on the screen, once there are any. */
  shown: RefObject<ReviewRows | null>;
  selection: GridSelection;
  select(selection: GridSelection): void;
}

/** What changes the selected cells: typing, the clipboard, filling, and leaving rows out. */
export function useCellEdits({ id, columns, work, query, shown, selection, select }: EditOptions) {
  const { showToast } = useToasts();
  const fields = useImportFields();
  const range = selectedRange(selection);
  const ranges = selectedRanges(selection);

  const text = ({ row, column }: SeenCell, typed: string) => {
    const over = { row: row.row, column: column.column, text: typed, before: row.cells[column.cell] ?? '' };
    void work.type(`Edit ${fields.find(column.field ?? '').short_title}`, [over]);
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
    if (await work.edit(`Paste ${cells(edits.length)}`, edits))
      showToast(`Pasted ${cells(edits.length)}. Undo with ${formatShortcut('Mod+Z')}.`);
  };
  const exclude = async () => {
    const areas = ranges.map((each) => toArea(each, columns));
    const done = await work.run('review_exclude', { id, rows: query, areas, excluded: null });
    if (done) showToast(`${pluralize(done.rows, 'row')} ${done.excluded ? 'excluded' : 'included'}.`);
  };
  return { text, exclude, commands: { copy, clear, cut, fill, fillFrom, paste } };
}
