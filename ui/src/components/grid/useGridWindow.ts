import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

import { useSettings } from '../../operations';
import { computeRowWindow, type GridViewport, type RowWindow } from './rowWindow';

const ROW = 27;
const HEAD = 31;

interface ScrollState {
  top: number;
  left: number;
  /** Without the header. */
  height: number;
  width: number;
}

/** Which rows of a grid are on the screen, and the sizes to draw them with. */
export interface GridWindow {
  scroller: RefObject<HTMLDivElement | null>;
  /** A note hangs at a cell on the screen: then every pixel counts, else every row. */
  setExact(exact: boolean): void;
  view: ScrollState;
  viewport: GridViewport;
  shown: RowWindow;
  zoom: number;
  rowHeight: number;
  headHeight: number;
  /** Rows there are, as far as known. */
  total: number;
  setTotal(total: number): void;
}

/** The grid asks this first which rows to query; `total` is corrected with the answer. */
export function useGridWindow(expected: number): GridWindow {
  const zoom = (useSettings().data?.zoom ?? 100) / 100;
  const rowHeight = Math.round(ROW * zoom);
  const headHeight = Math.round(HEAD * zoom);
  const scroller = useRef<HTMLDivElement>(null);
  const exact = useRef(false);
  const setExact = useCallback((on: boolean) => {
    exact.current = on;
  }, []);
  const view = useScrollState(scroller, exact, headHeight, rowHeight);
  const [total, setTotal] = useState(expected);
  const viewport = { scroll: view.top, height: view.height, row: rowHeight };
  const shown = computeRowWindow(viewport, total);
  return { scroller, setExact, view, viewport, shown, zoom, rowHeight, headHeight, total, setTotal };
}

/** How far the grid is scrolled and how large it is. Scrolling measures no sizes. */
function useScrollState(
  scroller: RefObject<HTMLDivElement | null>,
  exact: RefObject<boolean>,
  head: number,
  row: number,
): ScrollState {
  const [view, setView] = useState<ScrollState>({ top: 0, left: 0, height: 600, width: 800 });
  const size = useRef({ height: 600, width: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const readScroll = () => {
      const { scrollTop: top, scrollLeft: left } = element;
      setView((before) => {
        const { height, width } = size.current;
        const sameRow = Math.floor(before.top / row) === Math.floor(top / row) && !exact.current;
        const same = (sameRow || before.top === top) && before.left === left;
        return same && before.height === height && before.width === width ? before : { top, left, height, width };
      });
    };
    const readSize = () => {
      size.current = { width: element.clientWidth, height: Math.max(0, element.clientHeight - head) };
      readScroll();
    };
    readSize();
    element.addEventListener('scroll', readScroll, { passive: true });
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(readSize);
    resized?.observe(element);
    return () => {
      element.removeEventListener('scroll', readScroll);
      resized?.disconnect();
    };
  }, [scroller, head, row, exact]);
  return view;
}
