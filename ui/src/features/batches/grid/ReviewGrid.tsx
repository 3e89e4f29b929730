import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { CellMark, ColumnFilter, ColumnSort, RowView } from '../../../bindings/operations';
import { ErrorBox, Icon } from '../../../components';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { MenuPoint } from '../../../components/grid/useGridInput';
import type { CellAnchor } from '../../../components/grid/useGridPlaces';
import type { CellContent, RowContent } from '../../../components/grid/DataGridRow';
import {
  type CellRange,
  type GridSelection,
  moveByEnter,
  moveByTab,
  selectCell,
} from '../../../components/grid/selection';
import { useGridWindow } from '../../../components/grid/useGridWindow';
import { useWordMeanings } from '../../../components/useWordMeanings';
import { formatCount, formatShortcut } from '../../../values';
import { type BordereauColumn, isNumericField, useImportFields } from '../bordereauFields';
import type { EditorExit } from './CellEditor';
import { ColumnHead } from './ColumnHead';
import { EditedCell, type EditedPlace, popupOf, type SeenCell } from './EditedCell';
import { type ColumnWidthState, FIT_COLUMN, type GridLayoutState, useColumnWidths, WIDTH_STEP } from './useGridLayout';
import { type ReviewRows, type ReviewRowsKey, useReviewRows } from './useReviewRows';

/** How long the catcher of a paste keeps the focus where no paste comes. */
const PASTE_MS = 200;

interface Props {
  label: string;
  rowsKey: ReviewRowsKey;
  /** Rows as far as known before the first page. */
  expected: number;
  columns: BordereauColumn[];
  selection: GridSelection;
  onSelect(selection: GridSelection): void;
  onText(cell: SeenCell, text: string): void;
  /** Keys of spreadsheets beyond those that move. */
  commands: GridCommands;
  layout: GridLayoutState;
  sort: ColumnSort | null;
  /** Columns that ask something of the rows. */
  filtered: readonly ColumnFilter[];
  onNote(): void;
  /** Headings were dragged to the place before another. */
  onMoveColumns(from: number, count: number, to: number): void;
  /** A menu is wanted at a place of the screen. */
  onMenu(point: MenuPoint): void;
  /** Shown over the grid for the active cell. */
  renderNote(rows: ReviewRows, anchor: CellAnchor): ReactNode;
  /** Tells the view which rows there are. */
  onRows(rows: ReviewRows): void;
  /** Shown where no row passes the filter. */
  empty: ReactNode;
}

interface GridCommands {
  clear(): unknown;
  copy(): unknown;
  cut(): unknown;
  fill(direction: 'down' | 'right'): unknown;
  /** The corner of the selection was dragged. */
  fillFrom(source: CellRange, target: CellRange): unknown;
  paste(text: string): unknown;
  /** Ctrl and an arrow. */
  edge(key: string, extend: boolean): unknown;
}

const seenText = ({ row, column }: SeenCell) => row.cells[column.cell] ?? '';

/** The rows of a review: edited in place, with a mark on each cell that has an issue. */
export function ReviewGrid(props: Props) {
  const { columns, selection, onSelect, onRows, commands, sort, filtered } = props;
  const gridWindow = useGridWindow(props.expected);
  const { shown, zoom, scroller } = gridWindow;
  const catcher = useRef<HTMLTextAreaElement>(null);
  const [editing, setEditing] = useState<EditedPlace | null>(null);
  const rows = useReviewRows(props.rowsKey, shown.first, shown.end);
  const total = rows.total ?? gridWindow.total;
  if (gridWindow.total !== total) gridWindow.setTotal(total);
  // Rows are drawn with their texts, not first without them; those of another filter meanwhile stay.
  const [isDrawn, setDrawn] = useState(false);
  if (!isDrawn && rows.total !== null) setDrawn(true);
  useEffect(() => onRows(rows));
  const fields = useImportFields();
  const explain = useWordMeanings();
  const widths = useColumnWidths(columns, props.layout, gridWindow);
  const gridColumns = useMemo(
    () => columns.map(({ column, field }) => ({ key: column, isNumeric: isNumericField(fields.find(field ?? '')) })),
    [columns, fields],
  );
  const popups = useMemo(() => columns.map(({ field }) => popupOf(fields.find(field ?? ''))), [columns, fields]);
  const describeCell = useCallback(
    (row: RowView | undefined, place: number) => describeReviewCell(row, columns[place], popups[place]),
    [columns, popups],
  );
  const describeHead = useCallback(
    (place: number) => {
      const column = columns[place];
      const field = fields.find(column?.field ?? '');
      return {
        title: [`Column ${column?.letters}, “${column?.header}”: ${field.title}`, explain(field.title)]
          .filter(Boolean)
          .join('\n'),
        sort: sort?.column === column?.column ? sortName(sort) : undefined,
        content: (
          <ColumnHead
            title={field.short_title}
            place={place}
            widths={widths}
            zoom={zoom}
            sort={sort?.column === column?.column ? sortName(sort) : undefined}
            isFiltered={filtered.some((each) => each.column === column?.column)}
          />
        ),
      };
    },
    [columns, fields, explain, widths, zoom, sort, filtered],
  );
  const { active } = selection;
  const bounds = { rows: total, columns: columns.length, page: 1 };
  const focus = () => scroller.current?.focus({ preventScroll: true });
  const activeRow = rows.row(active.row);
  const activeColumn = columns[active.column];
  const popup = activeRow && popups[active.column];
  const edit = (text: string | null, isOpen = false) => {
    if (!activeColumn || !activeRow) return;
    onSelect(selectCell(active.row, active.column));
    const seen = { row: activeRow, column: activeColumn };
    setEditing({ ...active, seen, text: text ?? seenText(seen), typed: text !== null, isOpen });
  };
  const finish = (text: string, leave: EditorExit) => {
    if (editing && text !== seenText(editing.seen)) props.onText(editing.seen, text);
    setEditing(null);
    if (leave === 'stay') return;
    focus();
    if (leave === 'here') return;
    if (leave === 'down' || leave === 'up') onSelect(moveByEnter(selection, leave === 'up', bounds));
    else onSelect(moveByTab(selection, leave === 'back', bounds) ?? selection);
  };
  /** The paste itself goes to the catcher, which takes the focus for the clipboard's own event. */
  const catchPaste = () => {
    catcher.current?.focus({ preventScroll: true });
    setTimeout(() => document.activeElement === catcher.current && focus(), PASTE_MS);
  };
  const onKey = (event: KeyboardEvent, mod: boolean): boolean => {
    const key = mod ? `Mod+${event.key.toLowerCase()}` : event.key;
    switch (key) {
      case 'Mod+v':
        // Not prevented: the browser pastes into the catcher.
        catchPaste();
        return false;
      case 'Mod+.':
        props.onNote();
        return true;
      case 'F2':
        edit(null);
        return true;
    }
    const command = commandOf(key, event, commands);
    if (command) {
      void command();
      return true;
    }
    // Shift and the space bar select the row.
    if (mod || event.key.length !== 1 || (event.key === ' ' && event.shiftKey)) return false;
    edit(event.key);
    return true;
  };
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    focus();
    const text = event.clipboardData.getData('text/plain');
    if (text !== '') void commands.paste(text);
  };
  useColumnActions(active.column, widths, () => popup && edit(null, true));
  const cancel = () => {
    setEditing(null);
    focus();
  };
  const edited = editing && fields.find(editing.seen.column.field ?? '');
  return (
    <DataGrid
      label={props.label}
      describedBy="grid-help"
      gridWindow={gridWindow}
      rows={{ total, rowAt: rows.row }}
      isDrawn={isDrawn}
      columns={gridColumns}
      widths={widths.pixels}
      numbersWidth={Math.round(numbersWidth(Math.max(total, props.expected)) * zoom)}
      hidesColumns
      describeRow={describeReviewRow}
      describeCell={describeCell}
      describeHead={describeHead}
      selection={selection}
      onSelect={onSelect}
      isEditable
      onKey={onKey}
      onMenu={props.onMenu}
      frozen={Math.min(props.layout.layout.frozen, columns.length - 1)}
      onActivate={() => edit(null)}
      onPaste={onPaste}
      onFill={editing ? undefined : (source, target) => void commands.fillFrom(source, target)}
      onMoveColumns={props.onMoveColumns}
      renderInside={(frameOf) =>
        editing && edited ? (
          <EditedCell
            key={`${editing.row} ${editing.column} ${editing.isOpen}`}
            label={`${edited.title}, row ${editing.seen.row.line}`}
            field={edited}
            edited={editing}
            cell={{ id: props.rowsKey.id, row: editing.seen.row.row, column: editing.seen.column.column }}
            style={frameOf(editing.row, editing.column)}
            onDone={finish}
            onOpen={() => setEditing({ ...editing, isOpen: true })}
            onCancel={cancel}
          />
        ) : (
          popup && <OpenArrow style={frameOf(active.row, active.column)} onOpen={() => edit(null, true)} />
        )
      }
      renderNote={(anchor) => !editing && props.renderNote(rows, anchor)}
    >
      <p id="grid-help" hidden>
        Use the arrow keys to move between cells. Type or press F2 to edit, F8 to go to the next issue,{' '}
        {formatShortcut('Mod+.')} to see what you can do about it, {formatShortcut('Alt+ArrowDown')} to choose from a
        list or calendar, Shift+F10 for a menu. Press Escape, then Tab, to leave the table.
      </p>
      {rows.total === 0 && <div className="grid-empty">{props.empty}</div>}
      {rows.error && (
        <div className="grid-empty">
          <ErrorBox error={rows.error} onRetry={rows.again} />
        </div>
      )}
      <textarea ref={catcher} className="only-read" tabIndex={-1} aria-hidden="true" onPaste={onPaste} />
    </DataGrid>
  );
}

/** The command of a key that changes or copies cells, or moves to the edge of the data. */
function commandOf(key: string, event: KeyboardEvent, commands: GridCommands): (() => unknown) | undefined {
  switch (key) {
    case 'Mod+arrowup':
    case 'Mod+arrowdown':
    case 'Mod+arrowleft':
    case 'Mod+arrowright':
      return () => commands.edge(event.key, event.shiftKey);
    case 'Mod+c':
      return commands.copy;
    case 'Mod+x':
      return commands.cut;
    case 'Mod+d':
      return () => commands.fill('down');
    case 'Mod+r':
      return () => commands.fill('right');
    case 'Delete':
    case 'Backspace':
      return commands.clear;
  }
}

const sortName = (sort: ColumnSort | null) => (sort?.descending ? ('descending' as const) : ('ascending' as const));

/** The worse of the marks on a cell; a null column means the row itself. */
export function findMark(row: RowView | undefined, column: number | null): CellMark | undefined {
  const marks = row?.marks.filter((mark) => mark.column === column) ?? [];
  return marks.find((mark) => mark.severity === 'error') ?? marks.find((mark) => mark.severity !== 'kept') ?? marks[0];
}

function describeReviewRow(row: RowView | undefined): RowContent {
  // An error may be in a column that is not on the screen. Those of an excluded row hold nothing up.
  const hasError = row?.marks.some((mark) => mark.severity === 'error');
  const severity = row?.excluded ? undefined : hasError ? 'error' : findMark(row, null)?.severity;
  return {
    className: row?.excluded ? 'out' : undefined,
    number: {
      text: row ? formatCount(row.line) : '',
      prefix: `${severity ? `${severity}, ` : ''}${row?.excluded ? 'excluded, ' : ''}`,
      className: severity ?? '',
    },
  };
}

function describeReviewCell(
  row: RowView | undefined,
  column: BordereauColumn | undefined,
  popup: CellContent['popup'],
): CellContent {
  if (!row || !column) return { text: '' };
  const mark = row.marks.length > 0 && !row.excluded ? findMark(row, column.column) : undefined;
  const isChanged = row.changed.includes(column.column);
  return {
    text: row.cells[column.cell] ?? '',
    prefix: mark && `${mark.severity}: `,
    className: [mark?.severity ?? '', isChanged ? 'changed' : ''].filter(Boolean).join(' '),
    isInvalid: mark?.severity === 'error',
    description: isChanged ? 'changed' : undefined,
    popup,
  };
}

/** Pixels at usual size that hold the last row's number and the mark before it. */
function numbersWidth(rows: number): number {
  return Math.max(52, 26 + 7.5 * formatCount(rows + 1).length);
}

interface OpenArrowProps {
  style: { left: number; top: number; width: number; height: number };
  onOpen(): void;
}

/** Opens the list or calendar of the active cell. The keyboard has Alt+Down, which the cell itself announces. */
function OpenArrow({ style: { left, top, width, height }, onOpen }: OpenArrowProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className="cell-arrow alone"
      style={{ left: left + width, top, height }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onClick={onOpen}
    >
      <Icon name="down" />
    </button>
  );
}

/** What the palette can do with the column and the cell with the keyboard: no drag is needed. */
function useColumnActions(place: number, widths: ColumnWidthState, openPopup: () => void): void {
  const own = { group: 'Grid', ignoredInFields: true };
  const widen = (by: number) => widths.set(place, widths.of(place) + by);
  useActions([
    { ...own, id: 'grid.wider', title: 'Widen column', keys: 'Alt+Shift+ArrowRight', run: () => widen(WIDTH_STEP) },
    { ...own, id: 'grid.narrower', title: 'Narrow column', keys: 'Alt+Shift+ArrowLeft', run: () => widen(-WIDTH_STEP) },
    { ...own, id: FIT_COLUMN.id, title: FIT_COLUMN.title, run: () => widths.fit(place) },
    { ...own, id: 'grid.usual', title: 'Reset column width', run: () => widths.set(place, null) },
    { ...own, id: 'grid.list', title: 'Choose from the list or calendar', keys: 'Alt+ArrowDown', run: openPopup },
  ]);
}
