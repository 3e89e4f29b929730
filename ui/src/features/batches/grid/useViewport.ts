import { type RefObject, useLayoutEffect, useState } from 'react';

export interface Scrolled {
  top: number;
  left: number;
  height: number;
  width: number;
}

/** How far the grid is scrolled and how large it is, without its header. */
export function useViewport(scroller: RefObject<HTMLDivElement | null>, head: number): Scrolled {
  const [view, setView] = useState<Scrolled>({ top: 0, left: 0, height: 600, width: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const read = () =>
      setView({
        top: element.scrollTop,
        left: element.scrollLeft,
        height: Math.max(0, element.clientHeight - head),
        width: element.clientWidth,
      });
    read();
    element.addEventListener('scroll', read, { passive: true });
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(read);
    resized?.observe(element);
    return () => {
      element.removeEventListener('scroll', read);
      resized?.disconnect();
    };
  }, [scroller, head]);
  return view;
}
