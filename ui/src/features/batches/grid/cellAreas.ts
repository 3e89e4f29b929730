import type { AreaChange, CellArea } from '../../../bindings/operations';
import type { CellRange } from '../../../components/grid/selection';
import type { BordereauColumn } from '../bordereauFields';

type TableColumn = Pick<BordereauColumn, 'column'>;

/** A range on screen as the core counts it. */
export function toArea({ top, bottom, left, right }: CellRange, columns: readonly TableColumn[]): CellArea {
  return { first: top, last: bottom, columns: columns.slice(left, right + 1).map(({ column }) => column) };
}

/** The same text in all cells of the ranges; an empty one clears them. */
export function buildTextChanges(
  ranges: readonly CellRange[],
  columns: readonly TableColumn[],
  text: string,
): AreaChange[] {
  return ranges.map((range) => ({ area: toArea(range, columns), content: { kind: 'text', text } }));
}

/** The cells of one range into those of another, repeated. */
export function buildCopyChange(source: CellRange, target: CellRange, columns: readonly TableColumn[]): AreaChange {
  return { area: toArea(target, columns), content: { kind: 'copy', area: toArea(source, columns) } };
}

/** Ctrl+D and Ctrl+R of spreadsheets in each range: its first row down, its first column right; a range of one row or
 * column takes what is before it. */
export function buildFillChanges(
  ranges: readonly CellRange[],
  columns: readonly TableColumn[],
  direction: 'down' | 'right',
): AreaChange[] {
  return ranges.flatMap((range) => {
    const { top, bottom, left, right } = range;
    const [first, last] = direction === 'down' ? [top, bottom] : [left, right];
    const from = first === last ? first - 1 : first;
    if (from < 0) return [];
    const source = direction === 'down' ? { ...range, top: from, bottom: from } : { ...range, left: from, right: from };
    const target = direction === 'down' ? { ...range, top: from + 1 } : { ...range, left: from + 1 };
    return [buildCopyChange(source, target, columns)];
  });
}
