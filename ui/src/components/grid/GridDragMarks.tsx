import type { PointerEvent } from 'react';

import type { CellRange } from './selection';

/** Pixels of a range in the scrolled content. */
export type RangeFrame = (range: CellRange) => { left: number; top: number; width: number; height: number };

interface HandleProps {
  range: CellRange;
  /** What would be filled, while the handle is dragged. */
  target: CellRange | null;
  frameOf: RangeFrame;
  /** The corner is beneath columns that stay. */
  isHidden: boolean;
  onGrab(event: PointerEvent): void;
}

/** The corner of a selection, which fills the cells it is dragged over. The keyboard has Ctrl+D and Ctrl+R. */
export function FillHandle({ range, target, frameOf, isHidden, onGrab }: HandleProps) {
  const { left, top, width, height } = frameOf(range);
  return (
    <>
      {!isHidden && (
        <div
          aria-hidden="true"
          className="fill-handle"
          title="Drag to fill"
          style={{ left: left + width, top: top + height }}
          onPointerDown={onGrab}
        />
      )}
      {target && <div aria-hidden="true" className="fill-target" style={frameOf(target)} />}
    </>
  );
}

/** Where columns that are dragged land. */
export function LandingMark({ left }: { left: number }) {
  return <div aria-hidden="true" className="landing-mark" style={{ left }} />;
}
