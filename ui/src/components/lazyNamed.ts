import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/** A component whose scripts are read when it is first drawn, by the name its file exports it under. */
export function lazyNamed<N extends string, P extends object>(
  load: () => Promise<{ [K in N]: ComponentType<P> }>,
  name: N,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => load().then((module) => ({ default: module[name] })));
}
