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

/** The edits of a paste: one cell fills the whole range, more cells begin at its corner and add rows at the end. */
export function buildPasteEdits(cells: string[][], range: CellRange, target: PasteTarget): CellEdit[] {
  const single = cells.length === 1 && cells[0]?.length === 1;
  const height = single ? range.bottom - range.top + 1 : cells.length;
  const width = single ? range.right - range.left + 1 : Math.max(...cells.map((row) => row.length));
  const edits: CellEdit[] = [];
  for (let down = 0; down < height; down++) {
    const index = range.top + down;
    const row = index < target.rows ? target.rowAt(index) : target.next + index - target.rows;
    if (row === null) continue;
    for (let right = 0; right < width; right++) {
      const column = target.columns[range.left + right];
      const text = single ? cells[0]?.[0] : cells[down]?.[right];
      if (column !== undefined && text !== undefined) edits.push({ row, column, text: text.trim() });
    }
  }
  return edits;
}

type CellSource = Pick<BordereauColumn, 'column' | 'cell'>;

/** Emptying a range: only cells that hold something. */
export function buildClearEdits(rows: RowView[], columns: CellSource[]): CellEdit[] {
  return rows.flatMap((row) =>
    columns.filter(({ cell }) => row.cells[cell]).map(({ column }) => ({ row: row.row, column, text: '' })),
  );
}

export function readCellTexts(rows: RowView[], columns: CellSource[]): string[][] {
  return rows.map((row) => columns.map(({ cell }) => row.cells[cell] ?? ''));
}
