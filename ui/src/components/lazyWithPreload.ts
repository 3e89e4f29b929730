import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

type LoadedModule<P> = { default: ComponentType<P> };

interface PreloadableView<P extends object> {
  View: LazyExoticComponent<ComponentType<P>>;
  /** Has it here before it is drawn. */
  preload(): Promise<void>;
}

/**
 * A component whose scripts are read apart from the others. Once they are here it is drawn at once: React's own `lazy`
 * always shows its fallback first, and no next one within 300 ms.
 */
export function lazyWithPreload<P extends object>(
  importComponent: () => Promise<ComponentType<P>>,
): PreloadableView<P> {
  let loadedModule: LoadedModule<P> | null = null;
  const loadModule = () =>
    importComponent().then((component) => {
      loadedModule = { default: component };
      return loadedModule;
    });
  // What calls back at once is taken at once; nothing else ever waits for it.
  const resolveImmediately = (loaded: LoadedModule<P>) =>
    // oxlint-disable-next-line unicorn/no-thenable
    ({ then: (use: (loaded: LoadedModule<P>) => void) => use(loaded) }) as unknown as Promise<LoadedModule<P>>;
  const View = lazy(() => (loadedModule ? resolveImmediately(loadedModule) : loadModule()));
  return { View, preload: () => (loadedModule ? Promise.resolve() : loadModule().then(() => undefined)) };
}
