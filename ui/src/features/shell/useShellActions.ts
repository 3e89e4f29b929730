import { useActions, inGroup } from '../../actions/ActionRegistry';
import { focusNextPart } from '../../values/focus';
import { useEditableSettings, useOperationAction, useOperationQuery } from '../../operations';
import { nextZoom } from '../../operations/useEditableSettings';
import { VIEW_NAMES, VIEWS } from '../../views';
import { useNavigation } from '../../workbench/navigation';
import { SETTINGS_SECTIONS } from '../../workbench/settingsSections';
import { THEMES } from '../../workbench/themes';

export type ShellPanel = 'palette' | 'profiles' | 'help' | 'keys' | 'rates' | null;

/** What works in every view. */
export function useShellActions(show: (panel: ShellPanel) => void): void {
  const { go } = useNavigation();
  const { settings, updateSettings } = useEditableSettings();
  const hasLock = (useOperationQuery('lock_status').data?.minutes ?? 0) > 0;
  const { mutate } = useOperationAction('lock_now');
  const lock = () => mutate({});
  const zoom = (to: number) => updateSettings({ zoom: to });
  useActions([
    ...inGroup('Go to', [
      ...VIEW_NAMES.map((name) => {
        const { title, shortcut: keys } = VIEWS[name];
        return { id: `view.${name}`, title, ...(keys ? { keys } : {}), run: () => go(name) };
      }),
      { id: 'shell.palette', title: 'Search or run a command', keys: 'Mod+K', run: () => show('palette') },
      { id: 'shell.part', title: 'Next pane', keys: 'F6', run: () => focusNextPart(false) },
      { id: 'shell.part.back', title: 'Previous pane', keys: 'Shift+F6', run: () => focusNextPart(true) },
    ]),
    ...inGroup('Profiles', [
      { id: 'shell.profiles', title: 'Switch profile', keys: 'Mod+Shift+P', run: () => show('profiles') },
    ]),
    ...inGroup('Help', [
      { id: 'shell.help', title: 'Help on this view', keys: 'F1', run: () => show('help') },
      { id: 'shell.rates', title: 'Rate changes', run: () => show('rates') },
      { id: 'shell.keys', title: 'Keyboard shortcuts', keys: '?', run: () => show('keys') },
    ]),
    ...inGroup('Appearance', [
      { id: 'zoom.in', title: 'Larger', keys: 'Mod+=', run: () => zoom(nextZoom(settings.zoom, 1)) },
      { id: 'zoom.out', title: 'Smaller', keys: 'Mod+-', run: () => zoom(nextZoom(settings.zoom, -1)) },
      { id: 'zoom.reset', title: 'Default size', keys: 'Mod+0', run: () => zoom(100) },
      ...THEMES.map(({ theme, command }) => ({
        id: `theme.${theme}`,
        title: command,
        run: () => updateSettings({ theme }),
      })),
    ]),
    ...inGroup('Settings', [
      {
        id: 'lock.now',
        title: hasLock ? 'Lock now' : 'Set up the lock',
        run: hasLock ? lock : () => go('settings', 'lock'),
      },
      ...SETTINGS_SECTIONS.map(({ place, title }) => ({
        id: `settings.${place}`,
        title: `Settings: ${title}`,
        run: () => go('settings', place),
      })),
    ]),
  ]);
}
