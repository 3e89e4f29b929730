import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';

import type { ColumnWidths } from '../../../bindings/operations';
import { usePlatform } from '../../../operations/platform';
import { useAsk } from '../../../operations/useOperation';
import { columnWidth, type GridColumn } from '../bordereauFields';

/** Pixels at usual size that a key press or a step of the palette changes. */
export const WIDTH_STEP = 16;
const LEAST = 32;
const MOST = 800;
/** A drag is kept when it rests. */
const KEEP_MS = 400;
const NOTHING = {};
const NONE: ColumnWidths = { widths: {} };

export interface Widths {
  /** Pixels on the screen, by place. */
  pixels: number[];
  /** Pixels at usual size; null makes it as usual again. */
  set(place: number, width: number | null): void;
  /** Pixels at usual size. */
  of(place: number): number;
}

/** How wide each column is: as usual, or as the person made it, remembered by field. */
export function useWidths(columns: GridColumn[], zoom: number): Widths {
  const platform = usePlatform();
  const client = useQueryClient();
  const kept = (useAsk('column_widths', NOTHING).data ?? NONE).widths;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const of = useCallback(
    (place: number) => {
      const field = columns[place]?.field ?? '';
      return kept[field] ?? columnWidth(field);
    },
    [columns, kept],
  );
  const set = useCallback(
    (place: number, width: number | null) => {
      const field = columns[place]?.field ?? '';
      const before = client.getQueryData<ColumnWidths>(['column_widths', NOTHING]) ?? NONE;
      const widths = { ...before.widths };
      if (width === null) delete widths[field];
      else widths[field] = Math.round(Math.min(MOST, Math.max(LEAST, width)));
      client.setQueryData(['column_widths', NOTHING], { widths });
      clearTimeout(timer.current);
      // That it could not be kept is no loss worth a word: it holds while the window is open.
      timer.current = setTimeout(() => void platform.call('column_widths_save', { widths }).catch(() => null), KEEP_MS);
    },
    [client, columns, platform],
  );
  const pixels = useMemo(() => columns.map((_, place) => Math.round(of(place) * zoom)), [columns, of, zoom]);
  return useMemo(() => ({ pixels, set, of }), [pixels, set, of]);
}
