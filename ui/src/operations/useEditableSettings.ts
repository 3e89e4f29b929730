import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

import { DEFAULT_SETTINGS, type Settings } from '../bindings/operations';
import { usePlatform } from './platform';
import { useToasts } from './toasts';
import { useOperationMutation, useSettings } from './useOperation';

const ZOOM_STEPS = [80, 90, 100, 110, 125, 150, 175, 200];

/** Shows theme and zoom, and keeps them for the next start's first paint. */
function applyAppearance({ theme, zoom }: Settings): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  root.style.setProperty('--zoom', String(zoom / 100));
  try {
    localStorage.setItem('theme', theme);
    localStorage.setItem('zoom', String(zoom));
  } catch {
    // Without storage the next start shows the system's theme for a moment.
  }
}

const SETTINGS_KEY = ['settings_load', {}];

/** The settings, shown at once and then stored. */
export function useEditableSettings(): { settings: Settings; updateSettings(change: Partial<Settings>): void } {
  const stored = useSettings().data;
  // Shown with the click itself: the cache tells of a change a moment later, and a box that jumps back looks refused.
  const [chosen, setChosen] = useState<{ over: Settings | undefined; settings: Settings } | null>(null);
  const settings = (chosen && chosen.over === stored ? chosen.settings : stored) ?? DEFAULT_SETTINGS;
  const { mutate } = useOperationMutation('settings_save', ['settings_load']);
  const { showError } = useToasts();
  const client = useQueryClient();
  const platform = usePlatform();
  useEffect(() => {
    if (stored) applyAppearance(stored);
  }, [stored]);
  const updateSettings = useCallback(
    (change: Partial<Settings>) => {
      const save = (known: Settings) => {
        const next = { ...known, ...change };
        applyAppearance(next);
        // A load that is still running would bring back the old settings.
        void client.cancelQueries({ queryKey: SETTINGS_KEY });
        // At once, not after the answer: a choice that jumps back for a moment looks refused.
        setChosen({ over: stored, settings: next });
        client.setQueryData(SETTINGS_KEY, next);
        mutate(next, { onError: showError });
      };
      // From what was chosen last, not from what was last drawn: of two quick choices none is lost.
      const known = client.getQueryData<Settings>(SETTINGS_KEY);
      if (known) save(known);
      // What was never read is not written over: the agency's name and logo are in it.
      else
        client
          .fetchQuery({ queryKey: SETTINGS_KEY, queryFn: () => platform.call('settings_load', {}) })
          .then(save, showError);
    },
    [stored, mutate, showError, client, platform],
  );
  return { settings, updateSettings };
}

/** The next step of the zoom up or down. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const steps = direction === 1 ? ZOOM_STEPS : ZOOM_STEPS.toReversed();
  return steps.find((each) => (each - zoom) * direction > 0) ?? zoom;
}
