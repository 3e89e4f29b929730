import { type MouseEvent, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';

import { findActiveProfile, useOperationMutation, useProfiles, useServiceStatus, useToasts } from '../../operations';
import { useNavigation } from '../../workbench/navigation';
import { Toasts } from './Toasts';
import { Sidebar } from './Sidebar';
import { useDoubleClickGuard } from './useDoubleClickGuard';
import { useFocusRecovery } from './useFocusRecovery';
import { StatusBar } from './StatusBar';
import { type ShellPanel, useShellActions } from './useShellActions';
import { lazyNamed } from '../../components';
import { lazyWithPreload } from '../../components/lazyWithPreload';

const palette = lazyWithPreload(() => import('./CommandPalette').then((module) => module.CommandPalette));
// Not needed for the first paint: what is dropped, and the news of the outbox.
const Background = lazyNamed(() => import('./BackgroundTasks'), 'BackgroundTasks');
const ProfileSwitcher = lazyNamed(() => import('./ProfileSwitcher'), 'ProfileSwitcher');
const RateChanges = lazyNamed(() => import('../../components/RateChangesDialog'), 'RateChangesDialog');
const HelpDialog = lazyNamed(() => import('./HelpDialog'), 'HelpDialog');
const ShortcutHelp = lazyNamed(() => import('./ShortcutHelp'), 'ShortcutHelp');

/** Once the window is idle: text typed right after Ctrl+K must reach the palette. */
const IDLE_MS = 800;

interface Props {
  rulesChecked: string;
  /** The quote on the table is known: panels may open. */
  ready: boolean;
  children?: ReactNode;
}

/** The frame around every view: places, environment, status, and what opens from anywhere. */
export function Shell({ rulesChecked, ready, children }: Props) {
  const [panel, setPanel] = useState<ShellPanel>(null);
  const [isIdle, setIdle] = useState(false);
  const active = findActiveProfile(useProfiles().data?.profiles)?.profile;
  const status = useServiceStatus().data;
  const environment = active?.environment ?? status?.environment ?? 'practice';
  const use = useProfileSwitch(() => setPanel(null));
  const close = useCallback(() => setPanel(null), []);
  const { go } = useNavigation();
  const edit = () => {
    setPanel(null);
    go('settings', 'profiles');
  };
  useShellActions(setPanel);
  useFocusRecovery();
  useDoubleClickGuard();
  useEffect(() => {
    const timer = setTimeout(() => {
      setIdle(true);
      void palette.preload();
    }, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="app">
      <a className="skip" href="#view" onClick={skipToView}>
        Skip to content
      </a>
      <div className="frame" data-environment={environment}>
        <Sidebar
          environment={environment}
          profile={active?.name ?? ''}
          counts={isIdle}
          onSwitch={() => setPanel('profiles')}
        />
        <main className="main" id="view">
          {children}
        </main>
        <StatusBar rulesChecked={rulesChecked} onRates={() => setPanel('rates')} />
      </div>
      <Toasts />
      {/* By itself: while it is loaded, a palette beside it would be hidden and lose the focus with what is typed. */}
      <Suspense fallback={null}>{ready && isIdle && <Background />}</Suspense>
      <Suspense fallback={null}>
        {ready && panel === 'palette' && <palette.View onClose={close} onProfile={use} />}
        {panel === 'profiles' && <ProfileSwitcher onClose={close} onUse={use} onEdit={edit} />}
        {ready && panel === 'help' && <HelpDialog onClose={close} onKeys={() => setPanel('keys')} />}
        {panel === 'keys' && <ShortcutHelp onClose={close} />}
        {panel === 'rates' && <RateChanges onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Past the views, by key: the address of the page is not changed by it. */
function skipToView(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main h1')?.focus();
}

function useProfileSwitch(done: () => void): (id: string) => void {
  const { mutate } = useOperationMutation('profile_select', 'everything');
  const client = useQueryClient();
  const { showToast, showError } = useToasts();
  return (id) =>
    mutate(
      { id },
      {
        onSuccess: (list) => {
          client.setQueryData(['profile_list', {}], list);
          showToast(`Switched to ${findActiveProfile(list.profiles)?.profile.name ?? 'another profile'}.`);
          done();
        },
        onError: showError,
      },
    );
}
