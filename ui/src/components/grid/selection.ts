/** Where the keyboard is in the grid. Rows by their place among those shown, columns by their place on screen. */
export interface CellPosition {
  row: number;
  column: number;
}

export interface GridSelection {
  /** Where an extended selection began. */
  anchor: CellPosition;
  /** The cell with the keyboard. */
  active: CellPosition;
  /** Ranges selected before this one that still are. */
  others?: readonly CellRange[];
  /** Moving on keeps the other ranges, as Ctrl does with the mouse. */
  isAdding?: boolean;
}

export interface GridBounds {
  rows: number;
  columns: number;
  /** Rows that fit on the screen. */
  page: number;
}

export interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

interface KeyPress {
  key: string;
  shift: boolean;
  mod: boolean;
}

export const FIRST_CELL: GridSelection = { anchor: { row: 0, column: 0 }, active: { row: 0, column: 0 } };

/** Ranges beside the last one, at most: more are no longer one thought. */
const OTHERS_MAX = 99;

export function selectCell(row: number, column: number): GridSelection {
  return { anchor: { row, column }, active: { row, column } };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

/** The nearest cell there is, after rows or columns went away; other ranges as far as they are there. */
export function clampSelection(selection: GridSelection, bounds: GridBounds): GridSelection {
  const { anchor, active, others } = selection;
  const near = (spot: CellPosition) => ({
    row: clamp(spot.row, bounds.rows - 1),
    column: clamp(spot.column, bounds.columns - 1),
  });
  const left = others
    ?.filter((range) => range.top < bounds.rows && range.left < bounds.columns)
    .map((range) => ({
      ...range,
      bottom: clamp(range.bottom, bounds.rows - 1),
      right: clamp(range.right, bounds.columns - 1),
    }));
  return { ...selection, anchor: near(anchor), active: near(active), ...(left ? { others: left } : {}) };
}

/** Another range begins: at a cell, beside those that are selected. */
export function addRange(selection: GridSelection, anchor: CellPosition, active = anchor): GridSelection {
  return { anchor, active, others: selectedRanges(selection).slice(-OTHERS_MAX) };
}

/** Keeps the ranges so far while the keyboard selects the next. */
export function keepRanges(selection: GridSelection): GridSelection {
  return { ...addRange(selection, selection.active), isAdding: true };
}

function moveCell(
  from: CellPosition,
  { key, mod }: KeyPress,
  { rows, columns, page }: GridBounds,
): CellPosition | null {
  const last = rows - 1;
  switch (key) {
    case 'ArrowUp':
      return { ...from, row: mod ? 0 : from.row - 1 };
    case 'ArrowDown':
      return { ...from, row: mod ? last : from.row + 1 };
    case 'ArrowLeft':
      return { ...from, column: mod ? 0 : from.column - 1 };
    case 'ArrowRight':
      return { ...from, column: mod ? columns - 1 : from.column + 1 };
    case 'PageUp':
      return { ...from, row: from.row - page };
    case 'PageDown':
      return { ...from, row: from.row + page };
    case 'Home':
      return { row: mod ? 0 : from.row, column: 0 };
    case 'End':
      return { row: mod ? last : from.row, column: columns - 1 };
    default:
      return null;
  }
}

/** The selection after a key of movement, or null for any other key. Shift extends. */
export function moveSelection(selection: GridSelection, press: KeyPress, bounds: GridBounds): GridSelection | null {
  const next = moveCell(selection.active, press, bounds);
  if (!next) return null;
  const active = { row: clamp(next.row, bounds.rows - 1), column: clamp(next.column, bounds.columns - 1) };
  if (press.shift) return { ...selection, active };
  return selection.isAdding ? { ...selection, anchor: active, active } : { anchor: active, active };
}

/** The cell after Tab or before it with Shift: over the end of a row into the next one. Null at the end of the grid. */
export function moveByTab({ active }: GridSelection, backwards: boolean, bounds: GridBounds): GridSelection | null {
  const place = active.row * bounds.columns + active.column + (backwards ? -1 : 1);
  if (place < 0 || place >= bounds.rows * bounds.columns) return null;
  return selectCell(Math.floor(place / bounds.columns), place % bounds.columns);
}

/** The cell below after Enter, or above with Shift. */
export function moveByEnter({ active }: GridSelection, backwards: boolean, bounds: GridBounds): GridSelection {
  return selectCell(clamp(active.row + (backwards ? -1 : 1), bounds.rows - 1), active.column);
}

export function selectedRange({ anchor, active }: GridSelection): CellRange {
  return {
    top: Math.min(anchor.row, active.row),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

export function isSingleCell(range: CellRange): boolean {
  return range.top === range.bottom && range.left === range.right;
}

/** All ranges, the one with the keyboard last. */
export function selectedRanges(selection: GridSelection): CellRange[] {
  return [...(selection.others ?? []), selectedRange(selection)];
}

/** The columns of the ranges in a row, such as `2-4 7-7`: as text, so that a row that stays the same is not drawn. */
export function selectedColumns(ranges: readonly CellRange[], index: number): string {
  return ranges
    .filter((range) => index >= range.top && index <= range.bottom)
    .map((range) => `${range.left}-${range.right}`)
    .join(' ');
}

/** Whether a column is among those of {@link selectedColumns}. */
export function isColumnSelected(selected: string, column: number): boolean {
  if (selected === '') return false;
  return selected.split(' ').some((part) => {
    const [left = 0, right = 0] = part.split('-').map(Number);
    return column >= left && column <= right;
  });
}
