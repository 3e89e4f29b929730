import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import { lazyWithPreload } from './components/lazyWithPreload';

/** A view of the window, with its place in the sidebar and the palette. */
interface ViewRow {
  title: string;
  /** Such as `Mod+1`. */
  shortcut?: string;
  component: LazyExoticComponent<ComponentType>;
  /** Reached from another view: no link of its own in the sidebar, where that view stays marked. */
  parent?: 'events';
  /** Shown with the practice profile only. */
  isPracticeOnly?: boolean;
}

// Requested at once, so that it loads while the first operation runs; the other views when they are opened.
const quoteView = import('./features/quotes/QuoteView');
// A file can be dropped on any view, and its rows are shown at once.
export const batchesView = lazyWithPreload(() =>
  import('./features/batches/BatchesView').then(({ loadBatchesView }) => loadBatchesView()),
);

/** Every view, in the order of the sidebar. A new view is one row here and one folder in `features`. */
const VIEW_ROWS = {
  quote: {
    title: 'Quote',
    shortcut: 'Mod+1',
    component: lazy(() => quoteView.then(({ QuoteView }) => ({ default: QuoteView }))),
  },
  compare: {
    title: 'Compare states',
    shortcut: 'Mod+2',
    component: lazy(() =>
      import('./features/quotes/compare/CompareView').then(({ CompareView }) => ({ default: CompareView })),
    ),
  },
  saved: {
    title: 'Saved quotes',
    shortcut: 'Mod+3',
    component: lazy(() =>
      import('./features/quotes/saved/SavedView').then(({ SavedView }) => ({ default: SavedView })),
    ),
  },
  batches: { title: 'Batches', shortcut: 'Mod+4', component: batchesView.View },
  transactions: {
    title: 'Transactions',
    shortcut: 'Mod+5',
    component: lazy(() =>
      import('./features/transactions/TransactionsView').then(({ TransactionsView }) => ({
        default: TransactionsView,
      })),
    ),
  },
  documents: {
    title: 'Documents',
    shortcut: 'Mod+6',
    component: lazy(() =>
      import('./features/documents/DocumentsView').then(({ DocumentsView }) => ({ default: DocumentsView })),
    ),
  },
  diligent: {
    title: 'Diligent effort',
    shortcut: 'Mod+Shift+F',
    component: lazy(() =>
      import('./features/documents/diligent/DiligentView').then(({ DiligentView }) => ({ default: DiligentView })),
    ),
  },
  due: {
    title: 'Due dates',
    shortcut: 'Mod+7',
    component: lazy(() => import('./features/transactions/due/DueView').then(({ DueView }) => ({ default: DueView }))),
  },
  events: {
    title: 'Events',
    shortcut: 'Mod+8',
    component: lazy(() => import('./features/events/EventsView').then(({ EventsView }) => ({ default: EventsView }))),
  },
  webhooks: {
    title: 'Webhooks and deliveries',
    parent: 'events',
    component: lazy(() =>
      import('./features/events/webhooks/WebhooksView').then(({ WebhooksView }) => ({ default: WebhooksView })),
    ),
  },
  practice: {
    title: 'Practice panel',
    shortcut: 'Mod+9',
    isPracticeOnly: true,
    component: lazy(() =>
      import('./features/practice/PracticeView').then(({ PracticeView }) => ({ default: PracticeView })),
    ),
  },
  settings: {
    title: 'Settings',
    shortcut: 'Mod+,',
    component: lazy(() =>
      import('./features/settings/SettingsView').then(({ SettingsView }) => ({ default: SettingsView })),
    ),
  },
} satisfies Record<string, ViewRow>;

export type ViewName = keyof typeof VIEW_ROWS;

export const VIEWS: Record<ViewName, ViewRow> = VIEW_ROWS;
export const VIEW_NAMES = Object.keys(VIEW_ROWS) as ViewName[];
