import { lazy, type MouseEvent, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';

import { activeProfile, useDo, useProfiles, useStatus } from '../../operations/useOperation';
import { useNotices } from '../../operations/toasts';
import { useNavigation } from '../../workbench/navigation';
import { Notices } from './Toasts';
import { Side } from './Sidebar';
import { useKeptFocus } from './useFocusRecovery';
import { StatusLine } from './StatusBar';
import { type Panel, useShellActions } from './useShellActions';

const loadPalette = () => import('./CommandPalette');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));
// Not needed for the first paint: what is dropped, and the news of the outbox.
const Background = lazy(() => import('./BackgroundTasks').then((module) => ({ default: module.Background })));
const ProfileSwitcher = lazy(() => import('./ProfileSwitcher').then((module) => ({ default: module.ProfileSwitcher })));
const ShortcutHelp = lazy(() => import('./ShortcutHelp').then((module) => ({ default: module.ShortcutHelp })));

/** Once the window is at rest: what is typed right after Ctrl K must land in the palette. */
const AT_REST_MS = 800;

interface Props {
  rulesChecked: string;
  /** The quote on the table is known: panels may open. */
  ready: boolean;
  children?: ReactNode;
}

/** The frame around every view: places, environment, status, and what opens from anywhere. */
export function Shell({ rulesChecked, ready, children }: Props) {
  const [panel, setPanel] = useState<Panel>(null);
  const [rested, setRested] = useState(false);
  const active = activeProfile(useProfiles().data?.profiles)?.profile;
  const status = useStatus().data;
  const environment = active?.environment ?? status?.environment ?? 'practice';
  const use = useProfileSwitch(() => setPanel(null));
  const close = useCallback(() => setPanel(null), []);
  const { go } = useNavigation();
  const edit = () => {
    setPanel(null);
    go('settings', 'profiles');
  };
  useShellActions(setPanel);
  useKeptFocus();
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(true);
      void loadPalette();
    }, AT_REST_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="app">
      <a className="skip" href="#view" onClick={skip}>
        Skip to the view
      </a>
      <div className="frame" data-environment={environment}>
        <Side environment={environment} profile={active?.name ?? ''} onSwitch={() => setPanel('profiles')} />
        <main className="main" id="view">
          {children}
        </main>
        <StatusLine rulesChecked={rulesChecked} />
      </div>
      <Notices />
      <Suspense fallback={null}>
        {rested && <Background />}
        {ready && panel === 'palette' && <Palette onClose={close} onProfile={use} />}
        {panel === 'profiles' && <ProfileSwitcher onClose={close} onUse={use} onEdit={edit} />}
        {panel === 'keys' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Past the views, by key: the address of the page is not changed by it. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main h1')?.focus();
}

function useProfileSwitch(done: () => void): (id: string) => void {
  const { mutate } = useDo('profile_select', [
    'status',
    'reference_data',
    'secrets_status',
    'due_list',
    'documents_missing',
    'transaction_documents',
  ]);
  const client = useQueryClient();
  const { tell, fail } = useNotices();
  return (id) =>
    mutate(
      { id },
      {
        onSuccess: (list) => {
          client.setQueryData(['profile_list', {}], list);
          tell(`Now with ${activeProfile(list.profiles)?.profile.name ?? 'another profile'}.`);
          done();
        },
        onError: fail,
      },
    );
}
