import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

type Loaded<P> = { default: ComponentType<P> };

interface Apart<P extends object> {
  View: LazyExoticComponent<ComponentType<P>>;
  /** Has it here before it is drawn. */
  load(): Promise<void>;
}

/**
 * A component whose scripts are read apart from the others. Once they are here it is drawn at once: React's own `lazy`
 * always shows its fallback first, and no next one within 300 ms.
 */
export function apart<P extends object>(read: () => Promise<ComponentType<P>>): Apart<P> {
  let here: Loaded<P> | null = null;
  const bring = () =>
    read().then((component) => {
      here = { default: component };
      return here;
    });
  // What calls back at once is taken at once; nothing else ever waits for it.
  const atOnce = (loaded: Loaded<P>) =>
    // oxlint-disable-next-line unicorn/no-thenable
    ({ then: (use: (loaded: Loaded<P>) => void) => use(loaded) }) as unknown as Promise<Loaded<P>>;
  const View = lazy(() => (here ? atOnce(here) : bring()));
  return { View, load: () => (here ? Promise.resolve() : bring().then(() => undefined)) };
}
