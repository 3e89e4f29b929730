import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { ActionProvider, ActionRegistry } from './actions/ActionRegistry';
import { PlatformProvider } from './operations/platform';
import { ToastProvider } from './operations/toasts';
import { createQueryClient } from './operations/useOperation';
import type { Platform } from './platform';
import { batchesView, type ViewName } from './views';
import { BatchPlaceProvider } from './workbench/batchPlace';
import { DiligentPlaceProvider } from './workbench/diligentPlace';
import { DocumentPlaceProvider } from './workbench/documentPlace';
import { type Navigation, NavigationProvider, type SettingsSection } from './workbench/navigation';
import { TransactionPlaceProvider } from './workbench/transactionPlace';

const PLACE_PROVIDERS = [DocumentPlaceProvider, TransactionPlaceProvider, DiligentPlaceProvider];

/** Everything that the views share: the platform, queries, toasts, navigation, actions, and where each view was left. */
export function AppProviders({ platform, children }: { platform: Platform; children: ReactNode }) {
  const client = useMemo(() => createQueryClient(), []);
  const registry = useMemo(() => new ActionRegistry(), []);
  const [where, setWhere] = useState<{ view: ViewName; section: SettingsSection }>({
    view: 'quote',
    section: 'profiles',
  });
  const navigation = useMemo<Navigation>(
    () => ({ ...where, go: (view, section) => setWhere((old) => ({ view, section: section ?? old.section })) }),
    [where],
  );
  return (
    <QueryClientProvider client={client}>
      <PlatformProvider value={platform}>
        <ToastProvider>
          <NavigationProvider value={navigation}>
            <ActionProvider registry={registry}>
              <BatchPlaceProvider preload={batchesView.preload}>
                {PLACE_PROVIDERS.reduceRight<ReactNode>(
                  (inner, Provider) => (
                    <Provider>{inner}</Provider>
                  ),
                  children,
                )}
              </BatchPlaceProvider>
            </ActionProvider>
          </NavigationProvider>
        </ToastProvider>
      </PlatformProvider>
    </QueryClientProvider>
  );
}
