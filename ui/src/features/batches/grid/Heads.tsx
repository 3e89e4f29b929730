import { memo, type PointerEvent } from 'react';

import { findField, type BordereauColumn, isAmountField } from '../bordereauFields';
import type { ColumnWidthState } from './useColumnWidths';

interface Props {
  columns: BordereauColumn[];
  /** Columns on the screen, from the first to behind the last. */
  from: number;
  to: number;
  height: number;
  widths: ColumnWidthState;
  zoom: number;
}

/** The headings; the right edge of each can be dragged, and double-clicked to make the column as usual again. */
export const Heads = memo(function Heads({ columns, from, to, height, widths, zoom }: Props) {
  return (
    <div role="rowgroup" className="heads" style={{ height }}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div role="row" aria-rowindex={1} className="row">
        <div role="columnheader" aria-colindex={1} className="number">
          <span className="only-read">Row</span>
        </div>
        {columns.slice(from, to).map((column, step) => (
          <div
            key={column.column}
            role="columnheader"
            aria-colindex={from + step + 2}
            className={`cell ${isAmountField(column.field ?? '') ? 'num' : ''}`}
            style={{ gridColumn: from + step + 2 }}
            title={`Column ${column.letters}, “${column.header}”: ${findField(column.field ?? '').title}`}
          >
            {findField(column.field ?? '').short}
            {/* The keyboard has Alt+Shift+arrows and the palette has actions for the same. */}
            <span
              aria-hidden="true"
              className="edge"
              {...dragging(from + step, widths, zoom)}
              onDoubleClick={() => widths.set(from + step, null)}
            />
          </div>
        ))}
      </div>
    </div>
  );
});

function dragging(place: number, widths: ColumnWidthState, zoom: number) {
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
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
    },
  };
}
