import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';

import type { GridLayout } from '../../../bindings/operations';
import { measureColumn } from '../../../components/grid/measureColumn';
import type { GridWindow } from '../../../components/grid/useGridWindow';
import { useOperationQuery, usePlatform } from '../../../operations';
import { defaultColumnWidth, type BordereauColumn, useImportFields } from '../bordereauFields';

/** Pixels at usual size that a key press or a step of the palette changes. */
export const WIDTH_STEP = 16;
/** In the palette, and in the menu of the grid. */
export const FIT_COLUMN = { id: 'grid.fit', title: 'Fit column to content' };
const MIN_WIDTH = 32;
const MAX_WIDTH = 800;
/** A drag is kept when it rests. */
const SAVE_MS = 400;
export const USUAL_LAYOUT: GridLayout = {
  widths: {},
  order: [],
  hidden: [],
  frozen: 0,
  file_order: false,
  shows_blank: false,
};

export interface GridLayoutState {
  layout: GridLayout;
  /** Drawn at once, stored when it rests. */
  change(change: Partial<GridLayout>): void;
}

/** How the columns are arranged: as usual, or as the person left them, remembered for each mapping. */
export function useGridLayout(mapping: string): GridLayoutState {
  const platform = usePlatform();
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const layout = useOperationQuery('grid_layout', { name: mapping }).data ?? USUAL_LAYOUT;
  const change = useCallback(
    (next: Partial<GridLayout>) => {
      const key = ['grid_layout', { name: mapping }];
      const shown = () => client.getQueryData<GridLayout>(key);
      const load = () => shown() ?? platform.call('grid_layout', { name: mapping }).catch(() => USUAL_LAYOUT);
      const show = (stored: GridLayout) => {
        const now = { ...(shown() ?? stored), ...next };
        client.setQueryData(key, now);
        clearTimeout(timer.current);
        // That it could not be kept is no loss worth a word: it holds while the window is open.
        timer.current = setTimeout(
          () => void platform.call('grid_layout_save', { mapping, layout: now }).catch(() => null),
          SAVE_MS,
        );
      };
      // An answer that comes later would undo the choice. What is stored is changed by it, not replaced.
      void client.cancelQueries({ queryKey: key }).then(load).then(show);
    },
    [client, mapping, platform],
  );
  return useMemo(() => ({ layout, change }), [layout, change]);
}

export interface ColumnWidthState {
  /** Pixels on the screen, by place. */
  pixels: number[];
  /** Pixels at usual size; null makes it as usual again. */
  set(place: number, width: number | null): void;
  /** As wide as its heading and its texts in the rows on the screen. */
  fit(place: number): void;
  /** Pixels at usual size. */
  of(place: number): number;
}

/** How wide each column is, remembered by field. */
export function useColumnWidths(
  columns: BordereauColumn[],
  { layout, change }: GridLayoutState,
  { zoom, scroller }: GridWindow,
): ColumnWidthState {
  const fields = useImportFields();
  const { widths } = layout;
  const of = useCallback(
    (place: number) => {
      const field = columns[place]?.field ?? '';
      return widths[field] ?? defaultColumnWidth(fields.find(field), columns[place]?.examples ?? []);
    },
    [columns, fields, widths],
  );
  const set = useCallback(
    (place: number, width: number | null) => {
      const field = columns[place]?.field ?? '';
      const { [field]: _before, ...others } = widths;
      const next = width === null ? {} : { [field]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))) };
      change({ widths: { ...others, ...next } });
    },
    [columns, widths, change],
  );
  const fit = useCallback(
    (place: number) => {
      const needed = scroller.current && measureColumn(scroller.current, place);
      if (needed !== null) set(place, Math.ceil(needed / zoom));
    },
    [scroller, set, zoom],
  );
  const pixels = useMemo(() => columns.map((_, place) => Math.round(of(place) * zoom)), [columns, of, zoom]);
  return useMemo(() => ({ pixels, set, fit, of }), [pixels, set, fit, of]);
}
