import type { PointerEvent } from 'react';

import { Icon } from '../../../components';
import type { ColumnWidthState } from './useGridLayout';

interface Props {
  title: string;
  place: number;
  widths: ColumnWidthState;
  zoom: number;
  sort: 'ascending' | 'descending' | undefined;
  isFiltered: boolean;
}

/** A heading whose right edge can be dragged, and double-clicked to fit the column to its content. */
export function ColumnHead({ title, place, widths, zoom, sort, isFiltered }: Props) {
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
      {sort && <span aria-hidden="true">{sort === 'ascending' ? ' ▲' : ' ▼'}</span>}
      {isFiltered && (
        <>
          <Icon name="filter" />
          <span className="only-read">, filtered</span>
        </>
      )}
      {/* The keyboard has Alt+Shift+arrows; the menu and the palette have the same. */}
      <span aria-hidden="true" className="edge" onPointerDown={startDrag} onDoubleClick={() => widths.fit(place)} />
    </>
  );
}
