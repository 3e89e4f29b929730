import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

export interface Scrolled {
  top: number;
  left: number;
  height: number;
  width: number;
}

interface Of {
  /** Pixels of the header. */
  head: number;
  /** Pixels of a row. */
  row: number;
  /** The note hangs at a cell on the screen: then every pixel counts, else every row. */
  exact: RefObject<boolean>;
}

/** How far the grid is scrolled and how large it is, without its header. Scrolling asks for no sizes. */
export function useViewport(scroller: RefObject<HTMLDivElement | null>, { head, row, exact }: Of): Scrolled {
  const [view, setView] = useState<Scrolled>({ top: 0, left: 0, height: 600, width: 800 });
  const size = useRef({ height: 600, width: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const scrolled = () => {
      const { scrollTop: top, scrollLeft: left } = element;
      setView((before) => {
        const { height, width } = size.current;
        const sameRow = Math.floor(before.top / row) === Math.floor(top / row) && !exact.current;
        const same = (sameRow || before.top === top) && before.left === left;
        return same && before.height === height && before.width === width ? before : { top, left, height, width };
      });
    };
    const measured = () => {
      size.current = { width: element.clientWidth, height: Math.max(0, element.clientHeight - head) };
      scrolled();
    };
    measured();
    element.addEventListener('scroll', scrolled, { passive: true });
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(measured);
    resized?.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      resized?.disconnect();
    };
  }, [scroller, head, row, exact]);
  return view;
}
