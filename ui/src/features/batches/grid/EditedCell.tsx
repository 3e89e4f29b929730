import type { CSSProperties } from 'react';

import type { ImportField, RowView } from '../../../bindings/operations';
import { type BordereauColumn, isNumericField } from '../bordereauFields';
import { CellEditor, type EditorExit } from './CellEditor';
import { CodeEditor } from './CodeEditor';
import { DateCalendar } from './DateCalendar';

/** A cell by its row and column as the person saw them: others may change or move both while something is typed. */
export interface SeenCell {
  row: RowView;
  column: BordereauColumn;
}

/** A cell that is edited, by its place on screen. */
export interface EditedPlace {
  row: number;
  column: number;
  seen: SeenCell;
  text: string;
  /** Begun by typing. */
  typed: boolean;
  /** With its list or calendar open. */
  isOpen: boolean;
}

interface Props {
  label: string;
  field: ImportField;
  edited: EditedPlace;
  /** The cell in the core's table. */
  cell: { id: string; row: number; column: number };
  style: CSSProperties;
  onDone(text: string, leave: EditorExit): void;
  /** From typing a date to the calendar. */
  onOpen(): void;
  onCancel(): void;
}

/** Whether a list or a calendar opens at a cell of this field. */
export function popupOf(field: ImportField): 'listbox' | 'dialog' | undefined {
  if (field.choices.length > 0) return 'listbox';
  return field.kind === 'date' ? 'dialog' : undefined;
}

/** The editor of a cell, over it. Within the grid it is a cell of its own. */
export function EditedCell(props: Props) {
  return (
    <div role="row">
      <div role="gridcell">
        <Editor {...props} />
      </div>
    </div>
  );
}

/** A field, a field with a list, or a calendar. */
function Editor({ label, field, edited, cell, style, onDone, onOpen, onCancel }: Props) {
  const { text, typed, isOpen } = edited;
  const shared = { label, style, onCancel };
  const popup = popupOf(field);
  if (popup === 'listbox')
    return (
      <CodeEditor
        {...shared}
        {...{ text, typed, isOpen, onDone }}
        choices={field.choices}
        isList={field.kind === 'list'}
      />
    );
  if (popup === 'dialog' && isOpen)
    return <DateCalendar {...shared} cell={cell} onDone={(date) => onDone(date, 'here')} />;
  return (
    <CellEditor
      {...shared}
      {...{ text, typed, onDone }}
      numeric={isNumericField(field)}
      {...(popup ? { onOpen } : {})}
    />
  );
}
