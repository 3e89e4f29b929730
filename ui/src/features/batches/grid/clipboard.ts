import type { CellEdit, RowView } from '../../../bindings/operations';
import { unescapeFormula } from '../../../values/formulaEscape';
import type { BordereauColumn } from '../bordereauFields';
import type { CellRange } from '../../../components/grid/selection';

/** A cell in quotes up to a tab, a line's end or the end; otherwise up to the next tab or line's end. */
const CELL_PATTERN = /"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*)/y;

/** Cells as spreadsheets put them on the clipboard: by tab and line, in quotes where a cell holds either. */
export function parseCells(text: string): string[][] {
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const rows: string[][] = [[]];
  let place = 0;
  while (place <= source.length) {
    CELL_PATTERN.lastIndex = place;
    const found = CELL_PATTERN.exec(source);
    rows.at(-1)?.push(unescapeFormula(found?.[1]?.replaceAll('""', '"') ?? found?.[2] ?? ''));
    place = CELL_PATTERN.lastIndex;
    if (source[place] === '\n') rows.push([]);
    place++;
  }
  return rows;
}

/** Where cells go: the table's column of each column on screen, and the table's row of each row shown. */
interface PasteTarget {
  columns: number[];
  /** Row of the table, or null for one that is not known yet. */
  rowAt(index: number): number | null;
  /** Rows shown, and the row of the table behind the last one. */
  rows: number;
  next: number;
}

/** The edits of a paste: it begins at the corner of the range and adds rows at the end. */
export function buildPasteEdits(cells: string[][], { top, left }: CellRange, target: PasteTarget): CellEdit[] {
  return cells.flatMap((texts, down) => {
    const index = top + down;
    const row = index < target.rows ? target.rowAt(index) : target.next + index - target.rows;
    if (row === null) return [];
    return texts.flatMap((text, right) => {
      const column = target.columns[left + right];
      return column === undefined ? [] : [{ row, column, text: text.trim() }];
    });
  });
}

type CellSource = Pick<BordereauColumn, 'column' | 'cell'>;

export function readCellTexts(rows: RowView[], columns: CellSource[]): string[][] {
  return rows.map((row) => columns.map(({ cell }) => row.cells[cell] ?? ''));
}

/** The rows and columns of ranges that can be copied as one table. */
interface CopyTable {
  /** First and last row of each part, from the top. */
  rows: { top: number; bottom: number }[];
  columns: number[];
}

/** Ranges of the same rows lie side by side, those of the same columns below each other; others make no table. */
export function joinRanges(ranges: readonly CellRange[]): CopyTable | null {
  const [first] = ranges;
  if (!first) return null;
  const columns = ranges.flatMap(({ left, right }) => numbersBetween(left, right));
  if (ranges.every(({ top, bottom }) => top === first.top && bottom === first.bottom))
    return {
      rows: [{ top: first.top, bottom: first.bottom }],
      columns: [...new Set(columns)].toSorted((a, b) => a - b),
    };
  if (!ranges.every(({ left, right }) => left === first.left && right === first.right)) return null;
  const rows: CopyTable['rows'] = [];
  for (const { top, bottom } of ranges.toSorted((one, other) => one.top - other.top)) {
    const last = rows.at(-1);
    if (last && top <= last.bottom + 1) last.bottom = Math.max(last.bottom, bottom);
    else rows.push({ top, bottom });
  }
  return { rows, columns: numbersBetween(first.left, first.right) };
}

const numbersBetween = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, step) => first + step);
