import { type CSSProperties, type KeyboardEvent, useRef } from 'react';

/** Where the keyboard goes: to another cell, to the same one, or where the person went. */
export type EditorExit = 'down' | 'up' | 'next' | 'back' | 'here' | 'stay';

interface Props {
  label: string;
  text: string;
  /** Begun by typing: arrows up and down end it, as in a spreadsheet. */
  typed: boolean;
  numeric: boolean;
  style: CSSProperties;
  onDone(text: string, leave: EditorExit): void;
  /** Alt and Down, where there is something to open. */
  onOpen?: () => void;
  onCancel(): void;
}

/** The field over a cell. It stays where its row is, also when the row leaves the screen. */
export function CellEditor({ label, text, typed, numeric, style, onDone, onOpen, onCancel }: Props) {
  const ended = useRef(false);
  const end = (input: HTMLInputElement, leave: EditorExit) => {
    if (ended.current) return;
    ended.current = true;
    onDone(input.value, leave);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const back = event.shiftKey;
    const leave: Partial<Record<string, EditorExit>> = {
      Enter: back ? 'up' : 'down',
      Tab: back ? 'back' : 'next',
      ...(typed ? { ArrowDown: 'down', ArrowUp: 'up' } : {}),
    };
    const where = leave[event.key];
    if (event.altKey && event.key === 'ArrowDown' && onOpen) {
      ended.current = true;
      onOpen();
    } else if (where) end(event.currentTarget, where);
    else if (event.key === 'Escape') {
      ended.current = true;
      onCancel();
    } else return;
    event.preventDefault();
  };
  return (
    <input
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      className={`cell-editor ${numeric ? 'num' : ''}`}
      style={style}
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      defaultValue={text}
      onFocus={(event) => {
        const { value } = event.target;
        event.target.setSelectionRange(typed ? value.length : 0, value.length);
      }}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.target, 'stay')}
    />
  );
}
