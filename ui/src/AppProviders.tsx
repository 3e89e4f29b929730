import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { ActionProvider, ActionRegistry } from './actions/ActionRegistry';
import { PlatformProvider } from './operations/platform';
import { ToastProvider } from './operations/toasts';
import { createQueryClient, useSettings } from './operations/useOperation';
import type { Platform } from './platform';
import { batchesView, type ViewName, VIEWS } from './views';
import { BatchPlaceProvider } from './workbench/batchPlace';
import { DiligentPlaceProvider } from './workbench/diligentPlace';
import { DocumentPlaceProvider } from './workbench/documentPlace';
import { type Navigation, NavigationProvider } from './workbench/navigation';
import type { SettingsSection } from './workbench/settingsSections';
import { type RememberedPlaces, RememberedPlacesProvider, useRememberedPlace } from './workbench/rememberedPlaces';
import { TransactionPlaceProvider } from './workbench/transactionPlace';
import { UnsavedFormsProvider } from './workbench/unsavedForms';

const PLACE_PROVIDERS = [DocumentPlaceProvider, TransactionPlaceProvider, DiligentPlaceProvider, UnsavedFormsProvider];

interface Props {
  platform: Platform;
  /** Where the person was before the window was locked. */
  places?: RememberedPlaces;
  children: ReactNode;
}

/** Everything that the views share: the platform, queries, toasts, navigation, actions, and where each view was left. */
export function AppProviders({ platform, places, children }: Props) {
  const client = useMemo(() => createQueryClient(), []);
  const registry = useMemo(() => new ActionRegistry(), []);
  const remembered = useMemo(() => places ?? new Map<string, unknown>(), [places]);
  return (
    <QueryClientProvider client={client}>
      <PlatformProvider value={platform}>
        <ToastProvider>
          <RememberedPlacesProvider value={remembered}>
            <PlaceProvider>
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
            </PlaceProvider>
          </RememberedPlacesProvider>
        </ToastProvider>
      </PlatformProvider>
    </QueryClientProvider>
  );
}

const FIRST_PLACE: { view: ViewName | null; section: SettingsSection; subject: string } = {
  view: null,
  section: 'profiles',
  subject: '',
};

/** Which view is open: until the person chose one, the one that the settings name. */
function PlaceProvider({ children }: { children: ReactNode }) {
  const first = useSettings().data?.first_view ?? '';
  const [where, setWhere] = useRememberedPlace('view', FIRST_PLACE);
  const navigation = useMemo<Navigation>(
    () => ({
      ...where,
      view: where.view ?? (isViewName(first) ? first : 'today'),
      go: (view, section) => setWhere((old) => ({ view, section: section ?? old.section, subject: '' })),
      show: (view, subject) => setWhere((old) => ({ ...old, view, subject })),
    }),
    [where, setWhere, first],
  );
  return <NavigationProvider value={navigation}>{children}</NavigationProvider>;
}

const isViewName = (name: string): name is ViewName => name in VIEWS;
