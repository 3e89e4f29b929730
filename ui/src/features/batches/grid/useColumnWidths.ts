import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';

import type { ColumnWidths } from '../../../bindings/operations';
import { useOperationQuery, usePlatform } from '../../../operations';
import { defaultColumnWidth, type BordereauColumn, useImportFields } from '../bordereauFields';

/** Pixels at usual size that a key press or a step of the palette changes. */
export const WIDTH_STEP = 16;
const MIN_WIDTH = 32;
const MAX_WIDTH = 800;
/** A drag is kept when it rests. */
const SAVE_MS = 400;
const NONE: ColumnWidths = { widths: {} };

export interface ColumnWidthState {
  /** Pixels on the screen, by place. */
  pixels: number[];
  /** Pixels at usual size; null makes it as usual again. */
  set(place: number, width: number | null): void;
  /** Pixels at usual size. */
  of(place: number): number;
}

/** How wide each column is: as usual, or as the person made it, remembered by field. */
export function useColumnWidths(columns: BordereauColumn[], zoom: number): ColumnWidthState {
  const platform = usePlatform();
  const client = useQueryClient();
  const fields = useImportFields();
  const kept = (useOperationQuery('column_widths').data ?? NONE).widths;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const of = useCallback(
    (place: number) => {
      const field = columns[place]?.field ?? '';
      return kept[field] ?? defaultColumnWidth(fields.find(field));
    },
    [columns, fields, kept],
  );
  const set = useCallback(
    (place: number, width: number | null) => {
      const field = columns[place]?.field ?? '';
      const before = client.getQueryData<ColumnWidths>(['column_widths', {}]) ?? NONE;
      const widths = { ...before.widths };
      if (width === null) delete widths[field];
      else widths[field] = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
      client.setQueryData(['column_widths', {}], { widths });
      clearTimeout(timer.current);
      // That it could not be kept is no loss worth a word: it holds while the window is open.
      timer.current = setTimeout(() => void platform.call('column_widths_save', { widths }).catch(() => null), SAVE_MS);
    },
    [client, columns, platform],
  );
  const pixels = useMemo(() => columns.map((_, place) => Math.round(of(place) * zoom)), [columns, of, zoom]);
  return useMemo(() => ({ pixels, set, of }), [pixels, set, of]);
}
