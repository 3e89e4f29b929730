import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useState,
} from 'react';

import { isMac } from '../../values/shortcuts';
import { pressSelectionKey } from './gridKeys';
import { findHeading, handlePointer } from './gridPointer';
import { type CellRange, type GridBounds, type GridSelection, selectedRange } from './selection';
import { useGridDrag } from './useGridDrag';
import type { GridPlaces } from './useGridPlaces';
import type { GridWindow } from './useGridWindow';

/** A place of the window, in pixels. */
export interface MenuPoint {
  left: number;
  top: number;
}

/** What the keyboard and the pointer do in a grid. */
export interface GridInputProps {
  onSelect(selection: GridSelection): void;
  isEditable?: boolean;
  /** The right button, or its key, on a cell or heading that is selected. */
  onMenu?: (point: MenuPoint) => void;
  /** A key, before the grid moves or selects with it; true when it was one of the view's. */
  onKey(event: KeyboardEvent, mod: boolean): boolean;
  /** A cell was double-clicked. */
  onActivate(): void;
  onPaste?: (event: ClipboardEvent) => void;
  /** The corner of the selection was dragged over cells; without it there is no such corner. */
  onFill?: ((source: CellRange, target: CellRange) => void) | undefined;
  /** Columns were dragged by a heading to the place before another. */
  onMoveColumns?: (from: number, count: number, to: number) => void;
}

interface InputState {
  box: RefObject<HTMLElement | null>;
  gridWindow: GridWindow;
  places: GridPlaces;
  selection: GridSelection;
  bounds: GridBounds;
  numbersWidth: number;
  frozen: number;
}

/** The handlers of a grid, and what is being dragged in it. */
export function useGridInput(props: GridInputProps, state: InputState) {
  const { onSelect, isEditable = false } = props;
  const { box, gridWindow, places, selection, bounds, numbersWidth, frozen } = state;
  const { scroller, shown, headHeight } = gridWindow;
  const total = bounds.rows;
  const [isLeaving, setLeaving] = useState(false);
  const range = selectedRange(selection);
  const pointer = handlePointer({ selection, bounds, select: onSelect, isEditable });
  const dragging = useGridDrag({
    scroller,
    geometry: { shown, lefts: places.lefts, frozen, headHeight, total },
    onFill: props.onFill,
    onMoveColumns: props.onMoveColumns,
  });
  const takeFocus = () => {
    scroller.current?.focus({ preventScroll: true });
    setLeaving(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.nativeEvent.isComposing || event.altKey || total === 0) return;
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    if (isLeaving && !['Tab', 'Shift'].includes(event.key)) setLeaving(false);
    const context = { selection, bounds, select: onSelect, isEditable, isLeaving, leave: () => setLeaving(true) };
    if (props.onMenu && (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) {
      event.preventDefault();
      const { left = 0, top = 0 } = scroller.current?.getBoundingClientRect() ?? {};
      const { anchor } = places;
      const inside = Math.min(Math.max(anchor.left, numbersWidth), anchor.width);
      props.onMenu({ left: left + inside, top: top + Math.min(Math.max(anchor.bottom, headHeight), anchor.height) });
    } else if (props.onKey(event, mod) || pressSelectionKey(event, mod, context)) event.preventDefault();
  };
  /** Columns that are selected as a whole are dragged together. */
  const isWhole = range.top === 0 && range.bottom === total - 1;
  const onPointerDown = (event: PointerEvent) => {
    const heading = findHeading(event);
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
    const moves = props.onMoveColumns && heading !== null && event.button === 0 && isPlain;
    const isBlock = moves && isWhole && heading >= range.left && heading <= range.right && range.left < range.right;
    if (!isBlock && !pointer.down(event)) return;
    event.preventDefault();
    takeFocus();
    if (!moves) return;
    const [from, count] = isBlock ? [range.left, range.right - range.left + 1] : [heading, 1];
    dragging.begin(event, { kind: 'columns', heading, from, count, startX: event.clientX, to: null });
  };
  const onContextMenu = (event: MouseEvent) => {
    if (!props.onMenu || (event.target as HTMLElement).matches('input')) return;
    event.preventDefault();
    pointer.selectFor(event);
    takeFocus();
    props.onMenu({ left: event.clientX, top: event.clientY });
  };
  const handlers = {
    onKeyDown,
    // Tab passes by the grid until it is used: then it goes from cell to cell, and Escape gives it back.
    onFocus: (event: FocusEvent) => {
      if (!box.current?.contains(event.relatedTarget)) setLeaving(true);
    },
    onPaste: props.onPaste,
    onPointerDown,
    onPointerMove: (event: PointerEvent) => dragging.move(event) || pointer.move(event),
    // Of columns that could be dragged together the one that was pressed is selected after all.
    onPointerUp: (event: PointerEvent) =>
      dragging.end(event, (column) => onSelect({ anchor: { row: total - 1, column }, active: { row: 0, column } })),
    onPointerCancel: dragging.cancel,
    onContextMenu,
    onDoubleClick: (event: MouseEvent) => {
      if ((event.target as HTMLElement).dataset['column'] !== undefined) props.onActivate();
    },
  };
  const grabCorner = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    dragging.begin(event, { kind: 'fill', source: range, target: null });
  };
  return { handlers, drag: dragging.drag, grabCorner };
}
