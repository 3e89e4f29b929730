import { useActions } from '../../actions/ActionRegistry';
import type { Theme } from '../../bindings/operations';
import { toNextPart } from '../../values/focus';
import { nextZoom, useAppearance } from '../../operations/useAppearance';
import { useNavigation } from '../../workbench/navigation';

export type Panel = 'palette' | 'profiles' | 'keys' | null;

const THEMES: [Theme, string][] = [
  ['system', 'Theme as the system says'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
  ['contrast', 'High contrast theme'],
];

/** What works in every view. */
export function useShellActions(show: (panel: Panel) => void): void {
  const { go } = useNavigation();
  const { settings, set } = useAppearance();
  const zoom = (to: number) => set({ zoom: to });
  useActions([
    { id: 'view.quote', title: 'Quote', group: 'Go to', keys: 'Mod+1', run: () => go('quote') },
    { id: 'view.compare', title: 'Compare states', group: 'Go to', keys: 'Mod+2', run: () => go('compare') },
    { id: 'view.saved', title: 'Saved quotes', group: 'Go to', keys: 'Mod+3', run: () => go('saved') },
    { id: 'view.batches', title: 'Batches', group: 'Go to', keys: 'Mod+4', run: () => go('batches') },
    { id: 'view.transactions', title: 'Transactions', group: 'Go to', keys: 'Mod+5', run: () => go('transactions') },
    { id: 'view.documents', title: 'Documents', group: 'Go to', keys: 'Mod+6', run: () => go('documents') },
    { id: 'view.diligent', title: 'Diligent forms', group: 'Go to', keys: 'Mod+Shift+F', run: () => go('diligent') },
    { id: 'view.due', title: 'Due dates', group: 'Go to', keys: 'Mod+7', run: () => go('due') },
    { id: 'view.events', title: 'Events', group: 'Go to', keys: 'Mod+8', run: () => go('events') },
    { id: 'view.webhooks', title: 'Webhooks and deliveries', group: 'Go to', run: () => go('webhooks') },
    { id: 'view.practice', title: 'Practice panel', group: 'Go to', keys: 'Mod+9', run: () => go('practice') },
    { id: 'view.settings', title: 'Settings', group: 'Go to', keys: 'Mod+,', run: () => go('settings') },
    { id: 'shell.palette', title: 'Find or do anything', group: 'Go to', keys: 'Mod+K', run: () => show('palette') },
    {
      id: 'shell.profiles',
      title: 'Switch profile',
      group: 'Profiles',
      keys: 'Mod+Shift+P',
      run: () => show('profiles'),
    },
    { id: 'shell.part', title: 'Next part of the window', group: 'Go to', keys: 'F6', run: () => toNextPart(false) },
    {
      id: 'shell.part.back',
      title: 'Part of the window before',
      group: 'Go to',
      keys: 'Shift+F6',
      run: () => toNextPart(true),
    },
    { id: 'shell.keys', title: 'Keyboard shortcuts', group: 'Help', keys: 'F1', run: () => show('keys') },
    {
      id: 'shell.keys.sign',
      title: 'Keyboard shortcuts (outside a field)',
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
    { id: 'zoom.reset', title: 'Usual size', group: 'Appearance', keys: 'Mod+0', run: () => zoom(100) },
    ...THEMES.map(([theme, title]) => ({
      id: `theme.${theme}`,
      title,
      group: 'Appearance',
      run: () => set({ theme }),
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
