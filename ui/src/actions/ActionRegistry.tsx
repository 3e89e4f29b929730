import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

import { createRequiredContext } from '../components/requiredContext';
import { matchesShortcut } from '../values/shortcuts';

/** Something the person can do now: it has one name and one key everywhere (button, palette, help). */
export interface AppAction {
  id: string;
  title: string;
  group: string;
  /** Such as `Mod+Shift+P`. */
  keys?: string;
  /** Shown in the palette and the help only; the key is handled by the control itself. */
  handledByControl?: boolean;
  /** A text field that has the focus keeps this key, such as its own undo. */
  ignoredInFields?: boolean;
  run(): void;
}

/** Actions that the palette and the help list under one heading. */
export const inGroup = (group: string, actions: Omit<AppAction, 'group'>[]): AppAction[] =>
  actions.map((action) => ({ ...action, group }));

/** The actions of every view on screen. The first registered one has a key that two of them name. */
export class ActionRegistry {
  private sets = new Map<symbol, AppAction[]>();
  private listeners = new Set<() => void>();
  private all: AppAction[] = [];

  register(owner: symbol, actions: AppAction[]): void {
    this.sets.set(owner, actions);
    this.notifyListeners();
  }

  unregister(owner: symbol): void {
    this.sets.delete(owner);
    this.notifyListeners();
  }

  list = (): AppAction[] => this.all;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Runs the action whose key was pressed; says whether there was one. */
  runByShortcut(event: KeyboardEvent): boolean {
    const typing = isTyping(event);
    const found = this.all.find(
      ({ keys, handledByControl, ignoredInFields }) =>
        keys && !handledByControl && !(typing && ignoredInFields) && matchesShortcut(event, keys),
    );
    found?.run();
    return found !== undefined;
  }

  private notifyListeners(): void {
    this.all = [...this.sets.values()].flat();
    for (const listener of this.listeners) listener();
  }
}

const [RegistryProvider, useRegistry] = createRequiredContext<ActionRegistry>('actions');

export function ActionProvider({ registry, children }: { registry: ActionRegistry; children: ReactNode }) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      // A dialog is open: its own keys only.
      if (document.querySelector('[role="dialog"]') && event.key !== 'F1') return;
      if (isTyping(event) && !event.ctrlKey && !event.metaKey && event.key.length === 1) return;
      if (registry.runByShortcut(event)) event.preventDefault();
    };
    // Capture: fields stop the keys they see, and a shortcut works from inside any of them.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, [registry]);
  return <RegistryProvider value={registry}>{children}</RegistryProvider>;
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}

/** Registers a view's actions while it is on screen. They are registered again when a title or key changes; `run` is always the latest. */
export function useActions(actions: AppAction[]): void {
  const registry = useRegistry();
  const owner = useRef(Symbol('actions'));
  const latest = useRef(actions);
  // Before the view is painted: a key pressed as soon as it is seen finds its action.
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const signature = actions
    .map((action) => `${action.id}\u0000${action.title}\u0000${action.keys ?? ''}`)
    .join('\u0001');
  useLayoutEffect(() => {
    const key = owner.current;
    const stable = latest.current.map((action) => ({
      ...action,
      run: () => latest.current.find((each) => each.id === action.id)?.run(),
    }));
    registry.register(key, stable);
    return () => registry.unregister(key);
  }, [registry, signature]);
}

export function useActionList(): AppAction[] {
  const registry = useRegistry();
  return useSyncExternalStore(registry.subscribe, registry.list);
}

/** Runs an action by its id, for the buttons of other places. */
export function useRunAction(): (id: string) => void {
  const registry = useRegistry();
  return (id) =>
    registry
      .list()
      .find((action) => action.id === id)
      ?.run();
}
