import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';

import { AppProviders } from './AppProviders';
import { ErrorBox } from './components';
import { lazyNamed } from './components/lazyNamed';
import { LockGate } from './features/lock/LockGate';
import { ErrorBoundary } from './features/shell/ErrorBoundary';
import { Shell } from './features/shell/Shell';
import { usePlatform, useReferenceData, useSettings } from './operations';
import type { Platform } from './platform';
import { VIEWS } from './views';
import { useNavigation } from './workbench/navigation';
import { WorkbenchProvider } from './workbench/Workbench';

const OfficeTrouble = lazyNamed(() => import('./features/settings/OfficePanel'), 'OfficeTrouble');
/** The shell waits for the first paint; when the view takes longer than this, it is shown as it is. */
const PATIENCE_MS = 700;

export function App({ platform }: { platform: Platform }) {
  return (
    // What is wrong outside a view is shown as well: an empty window says nothing.
    <ErrorBoundary>
      <LockGate platform={platform}>
        {(unlocked, places) => (
          <AppProviders platform={unlocked} places={places}>
            <CurrentView />
          </AppProviders>
        )}
      </LockGate>
    </ErrorBoundary>
  );
}

function CurrentView() {
  const { view } = useNavigation();
  const platform = usePlatform();
  const reference = useReferenceData();
  // They name the first view.
  const settings = useSettings();
  const View = VIEWS[view].component;
  useEffect(() => {
    const timer = setTimeout(() => platform.ready(), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [platform]);
  const queries = useQueryClient();
  const box = reference.error && <ErrorBox error={reference.error} onRetry={reference.refetch} />;
  const error = reference.error && (
    <div className="empty">
      <Suspense fallback={box}>
        <OfficeTrouble error={reference.error} onRetry={() => void queries.invalidateQueries()} />
      </Suspense>
    </div>
  );
  if (!reference.data || settings.isPending)
    return (
      <Shell rulesChecked="" ready={false}>
        {error}
      </Shell>
    );
  return (
    <WorkbenchProvider reference={reference.data} fallback={<Shell rulesChecked="" ready={false} />}>
      <Shell rulesChecked={reference.data.rules_checked} ready>
        <ErrorBoundary key={view}>
          <Suspense fallback={null}>
            <ReportWhenReady>
              <View />
            </ReportWhenReady>
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </WorkbenchProvider>
  );
}

/** Tells the host once the view is there. A timer, because a hidden window may get no animation frames. */
function ReportWhenReady({ children }: { children: ReactNode }) {
  const platform = usePlatform();
  useEffect(() => {
    const timer = setTimeout(() => platform.ready());
    return () => clearTimeout(timer);
  }, [platform]);
  return children;
}
