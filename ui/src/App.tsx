import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';

import { ActionProvider, ActionRegistry } from './actions/ActionRegistry';
import { apart } from './components/lazyWithPreload';
import { Problem } from './components/ErrorBox';
import { PlatformProvider, usePlatform } from './operations/platform';
import { NoticeProvider } from './operations/toasts';
import { deskQueryClient, useReference } from './operations/useOperation';
import { Crash } from './features/shell/ErrorBoundary';
import { Shell } from './features/shell/Shell';
import type { Platform } from './platform';
import { BatchPlaceProvider } from './workbench/batchPlace';
import { DiligentPlaceProvider } from './workbench/diligentPlace';
import { DocumentPlaceProvider } from './workbench/documentPlace';
import { WorkbenchProvider } from './workbench/Workbench';
import { TransactionPlaceProvider } from './workbench/transactionPlace';
import { type Navigation, NavigationProvider, type SettingsPlace, type View } from './workbench/navigation';

// Asked for at once, so that it loads beside the first question to the core; the other views when they are opened.
const quoteView = import('./features/quotes/QuoteView');
// A file is dropped on any view, and its rows are seen at once.
const batches = apart(() => import('./features/batches/BatchesView').then(({ readied }) => readied()));
const VIEWS = {
  quote: lazy(() => quoteView.then((module) => ({ default: module.QuoteView }))),
  compare: lazy(() =>
    import('./features/quotes/compare/CompareView').then((module) => ({ default: module.CompareView })),
  ),
  saved: lazy(() => import('./features/quotes/saved/SavedView').then((module) => ({ default: module.SavedView }))),
  batches: batches.View,
  transactions: lazy(() =>
    import('./features/transactions/TransactionsView').then((module) => ({ default: module.TransactionsView })),
  ),
  events: lazy(() => import('./features/events/EventsView').then((module) => ({ default: module.EventsView }))),
  webhooks: lazy(() =>
    import('./features/events/webhooks/WebhooksView').then((module) => ({ default: module.WebhooksView })),
  ),
  practice: lazy(() => import('./features/practice/PracticeView').then((module) => ({ default: module.PracticeView }))),
  documents: lazy(() =>
    import('./features/documents/DocumentsView').then((module) => ({ default: module.DocumentsView })),
  ),
  due: lazy(() => import('./features/transactions/due/DueView').then((module) => ({ default: module.DueView }))),
  diligent: lazy(() =>
    import('./features/documents/diligent/DiligentView').then((module) => ({ default: module.DiligentView })),
  ),
  settings: lazy(() => import('./features/settings/SettingsView').then((module) => ({ default: module.SettingsView }))),
};

/** The shell waits for the first paint; when the view takes longer than this, it is shown as it is. */
const PATIENCE_MS = 700;

export function App({ platform }: { platform: Platform }) {
  const client = useMemo(() => deskQueryClient(), []);
  const registry = useMemo(() => new ActionRegistry(), []);
  const [where, setWhere] = useState<{ view: View; place: SettingsPlace }>({ view: 'quote', place: 'profiles' });
  const navigation = useMemo<Navigation>(
    () => ({ ...where, go: (view, place) => setWhere((old) => ({ view, place: place ?? old.place })) }),
    [where],
  );
  return (
    <QueryClientProvider client={client}>
      <PlatformProvider value={platform}>
        <NoticeProvider>
          <NavigationProvider value={navigation}>
            <ActionProvider registry={registry}>
              <BatchPlaceProvider load={batches.load}>
                <DocumentPlaceProvider>
                  <TransactionPlaceProvider>
                    <DiligentPlaceProvider>
                      <Start view={where.view} />
                    </DiligentPlaceProvider>
                  </TransactionPlaceProvider>
                </DocumentPlaceProvider>
              </BatchPlaceProvider>
            </ActionProvider>
          </NavigationProvider>
        </NoticeProvider>
      </PlatformProvider>
    </QueryClientProvider>
  );
}

function Start({ view }: { view: View }) {
  const platform = usePlatform();
  const reference = useReference();
  const View = VIEWS[view];
  useEffect(() => {
    const timer = setTimeout(() => platform.ready(), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [platform]);
  const problem = reference.error && (
    <div className="empty">
      <Problem error={reference.error} onRemedy={() => void reference.refetch()} />
    </div>
  );
  if (!reference.data)
    return (
      <Shell rulesChecked="" ready={false}>
        {problem}
      </Shell>
    );
  return (
    <WorkbenchProvider reference={reference.data} fallback={<Shell rulesChecked="" ready={false} />}>
      <Shell rulesChecked={reference.data.rules_checked} ready>
        <Crash key={view}>
          <Suspense fallback={null}>
            <Painted>
              <View />
            </Painted>
          </Suspense>
        </Crash>
      </Shell>
    </WorkbenchProvider>
  );
}

/** Tells the host once the view is there. A timer, because a hidden window may get no animation frames. */
function Painted({ children }: { children: ReactNode }) {
  const platform = usePlatform();
  useEffect(() => {
    const timer = setTimeout(() => platform.ready());
    return () => clearTimeout(timer);
  }, [platform]);
  return children;
}
