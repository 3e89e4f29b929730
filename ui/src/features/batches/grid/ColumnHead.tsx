import type { PointerEvent } from 'react';

import type { ColumnWidthState } from './useColumnWidths';

interface Props {
  title: string;
  place: number;
  widths: ColumnWidthState;
  zoom: number;
}

/** A heading whose right edge can be dragged, and double-clicked to reset the column. */
export function ColumnHead({ title, place, widths, zoom }: Props) {
  const startDrag = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    const { clientX, currentTarget: edge, pointerId } = event;
    const before = widths.of(place);
    edge.setPointerCapture(pointerId);
    const move = (moved: globalThis.PointerEvent) => widths.set(place, before + (moved.clientX - clientX) / zoom);
    const end = () => {
      edge.removeEventListener('pointermove', move);
      edge.removeEventListener('pointerup', end);
      edge.removeEventListener('pointercancel', end);
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', end);
    edge.addEventListener('pointercancel', end);
  };
  return (
    <>
      {title}
      {/* The keyboard has Alt+Shift+arrows and the palette has actions for the same. */}
      <span
        aria-hidden="true"
        className="edge"
        onPointerDown={startDrag}
        onDoubleClick={() => widths.set(place, null)}
      />
    </>
  );
}
