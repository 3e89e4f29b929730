import type { CellEdit, RowView } from '../../../bindings/operations';
import { parseAmount } from '../../../values/amount';
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

/** The first row of a range into those below it, or its first column into those right of it; a range of one row or column
 * takes what is before it. `rows` begin at the row that is copied from. */
export function buildFillEdits(rows: RowView[], columns: CellSource[], direction: 'down' | 'right'): CellEdit[] {
  const [first, ...below] = rows;
  const [left, ...right] = columns;
  if (direction === 'down')
    return below.flatMap((row) =>
      columns
        .map(({ column, cell }) => ({ row: row.row, column, text: first?.cells[cell] ?? '', before: row.cells[cell] }))
        .filter((edit) => edit.text !== edit.before)
        .map(({ row: at, column, text }) => ({ row: at, column, text })),
    );
  return rows.flatMap((row) =>
    right
      .filter(({ cell }) => row.cells[cell] !== (left ? row.cells[left.cell] : ''))
      .map(({ column }) => ({ row: row.row, column, text: (left && row.cells[left.cell]) ?? '' })),
  );
}

/** Count of filled cells, and of those that are amounts: their number, sum and average to the cent, never a float. */
export function sumCells(texts: string[][]): { count: number; numbers: number; sum: string; average: string } {
  const filled = texts.flat().filter((text) => text.trim() !== '');
  const cents = filled.flatMap((text) => {
    const read = parseAmount(text);
    return read.ok ? [BigInt(read.amount.replace('.', ''))] : [];
  });
  const sum = cents.reduce((all, each) => all + each, 0n);
  return {
    count: filled.length,
    numbers: cents.length,
    sum: writeCents(sum),
    average: writeCents(averageOf(sum, cents.length)),
  };
}

/** Half a cent goes away from zero. */
function averageOf(sum: bigint, count: number): bigint {
  if (count === 0) return 0n;
  const size = sum < 0n ? -sum : sum;
  const rounded = (size * 2n + BigInt(count)) / (BigInt(count) * 2n);
  return sum < 0n ? -rounded : rounded;
}

function writeCents(cents: bigint): string {
  const size = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`;
}

export function readCellTexts(rows: RowView[], columns: CellSource[]): string[][] {
  return rows.map((row) => columns.map(({ cell }) => row.cells[cell] ?? ''));
}
