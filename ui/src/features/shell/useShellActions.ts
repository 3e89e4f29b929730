import { useActions } from '../../actions/ActionRegistry';
import type { Theme } from '../../bindings/operations';
import { focusNextPart } from '../../values/focus';
import { nextZoom, useAppearance } from '../../operations/useAppearance';
import { VIEW_NAMES, VIEWS } from '../../views';
import { useNavigation } from '../../workbench/navigation';

export type ShellPanel = 'palette' | 'profiles' | 'keys' | 'rates' | null;

const THEMES: [Theme, string][] = [
  ['system', 'Use system theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
  ['contrast', 'High contrast theme'],
];

/** What works in every view. */
export function useShellActions(show: (panel: ShellPanel) => void): void {
  const { go } = useNavigation();
  const { settings, updateSettings } = useAppearance();
  const zoom = (to: number) => updateSettings({ zoom: to });
  useActions([
    ...VIEW_NAMES.map((name) => {
      const { title, shortcut } = VIEWS[name];
      return {
        id: `view.${name}`,
        title,
        group: 'Go to',
        ...(shortcut ? { keys: shortcut } : {}),
        run: () => go(name),
      };
    }),
    {
      id: 'shell.palette',
      title: 'Search or run a command',
      group: 'Go to',
      keys: 'Mod+K',
      run: () => show('palette'),
    },
    {
      id: 'shell.profiles',
      title: 'Switch profile',
      group: 'Profiles',
      keys: 'Mod+Shift+P',
      run: () => show('profiles'),
    },
    { id: 'shell.part', title: 'Next pane', group: 'Go to', keys: 'F6', run: () => focusNextPart(false) },
    {
      id: 'shell.part.back',
      title: 'Previous pane',
      group: 'Go to',
      keys: 'Shift+F6',
      run: () => focusNextPart(true),
    },
    { id: 'shell.keys', title: 'Keyboard shortcuts', group: 'Help', keys: 'F1', run: () => show('keys') },
    { id: 'shell.rates', title: 'Rate changes', group: 'Help', run: () => show('rates') },
    {
      id: 'shell.keys.sign',
      title: 'Keyboard shortcuts (outside fields)',
      group: 'Help',
      keys: '?',
      run: () => show('keys'),
    },
    { id: 'zoom.in', title: 'Larger', group: 'Appearance', keys: 'Mod+=', run: () => zoom(nextZoom(settings.zoom, 1)) },
    {
      id: 'zoom.out',
      title: 'Smaller',
      group: 'Appearance',
      keys: 'Mod+-',
      run: () => zoom(nextZoom(settings.zoom, -1)),
    },
    { id: 'zoom.reset', title: 'Default size', group: 'Appearance', keys: 'Mod+0', run: () => zoom(100) },
    ...THEMES.map(([theme, title]) => ({
      id: `theme.${theme}`,
      title,
      group: 'Appearance',
      run: () => updateSettings({ theme }),
    })),
    { id: 'settings.keychain', title: 'Keychain settings', group: 'Settings', run: () => go('settings', 'keychain') },
    {
      id: 'settings.appearance',
      title: 'Appearance settings',
      group: 'Settings',
      run: () => go('settings', 'appearance'),
    },
  ]);
}
