import type { ComponentType, LazyExoticComponent } from 'react';

import { lazyNamed } from './components';
import { lazyWithPreload } from './components/lazyWithPreload';

/** A view of the window, with its place in the sidebar and the palette. */
interface ViewRow {
  title: string;
  /** Such as `Mod+1`. */
  shortcut?: string;
  component: LazyExoticComponent<ComponentType>;
  /** The chapter of the guide about it. */
  chapter: string;
  /** Opened from another view: without a link in the sidebar, where that view stays marked. */
  parent?: 'events';
  /** Shown with the practice profile only. */
  isPracticeOnly?: boolean;
}

// Requested as the window starts, so that it loads while the first operation runs; the other views when they are opened.
export const todayView = lazyWithPreload(() => import('./features/today/TodayView').then(({ TodayView }) => TodayView));
// A file can be dropped on any view, and its rows are shown at once.
export const batchesView = lazyWithPreload(() =>
  import('./features/batches/BatchesView').then(({ loadBatchesView }) => loadBatchesView()),
);

/** Every view, in the order of the sidebar. A new view is one row here and one folder in `features`. */
const VIEW_ROWS = {
  today: {
    title: 'Today',
    chapter: 'see-what-the-day-brings',
    shortcut: 'Mod+Shift+D',
    component: todayView.View,
  },
  quote: {
    title: 'Quote',
    chapter: 'quote-taxes',
    shortcut: 'Mod+1',
    component: lazyNamed(() => import('./features/quotes/QuoteView'), 'QuoteView'),
  },
  compare: {
    title: 'Compare states',
    chapter: 'compare-states',
    shortcut: 'Mod+2',
    component: lazyNamed(() => import('./features/quotes/compare/CompareView'), 'CompareView'),
  },
  saved: {
    title: 'Saved quotes',
    chapter: 'save-reopen-print',
    shortcut: 'Mod+3',
    component: lazyNamed(() => import('./features/quotes/saved/SavedView'), 'SavedView'),
  },
  rates: {
    title: 'Rates',
    chapter: 'look-up-rates',
    shortcut: 'Mod+Shift+R',
    component: lazyNamed(() => import('./features/quotes/rates/RatesView'), 'RatesView'),
  },
  batches: { title: 'Batches', shortcut: 'Mod+4', chapter: 'import-a-spreadsheet', component: batchesView.View },
  transactions: {
    title: 'Transactions',
    chapter: 'follow-filings-and-due-dates',
    shortcut: 'Mod+5',
    component: lazyNamed(() => import('./features/transactions/TransactionsView'), 'TransactionsView'),
  },
  documents: {
    title: 'Documents',
    chapter: 'attach-documents',
    shortcut: 'Mod+6',
    component: lazyNamed(() => import('./features/documents/DocumentsView'), 'DocumentsView'),
  },
  diligent: {
    title: 'Diligent effort',
    chapter: 'fill-diligent-effort-forms',
    shortcut: 'Mod+Shift+F',
    component: lazyNamed(() => import('./features/documents/diligent/DiligentView'), 'DiligentView'),
  },
  due: {
    title: 'Due dates',
    chapter: 'follow-filings-and-due-dates',
    shortcut: 'Mod+7',
    component: lazyNamed(() => import('./features/transactions/due/DueView'), 'DueView'),
  },
  events: {
    title: 'Events',
    chapter: 'receive-events',
    shortcut: 'Mod+8',
    component: lazyNamed(() => import('./features/events/EventsView'), 'EventsView'),
  },
  webhooks: {
    title: 'Webhooks',
    chapter: 'receive-events',
    parent: 'events',
    component: lazyNamed(() => import('./features/events/webhooks/WebhooksView'), 'WebhooksView'),
  },
  practice: {
    title: 'Practice panel',
    chapter: 'practice',
    shortcut: 'Mod+9',
    isPracticeOnly: true,
    component: lazyNamed(() => import('./features/practice/PracticeView'), 'PracticeView'),
  },
  settings: {
    title: 'Settings',
    chapter: 'connect-a-real-account',
    shortcut: 'Mod+,',
    component: lazyNamed(() => import('./features/settings/SettingsView'), 'SettingsView'),
  },
} satisfies Record<string, ViewRow>;

export type ViewName = keyof typeof VIEW_ROWS;

export const VIEWS: Record<ViewName, ViewRow> = VIEW_ROWS;
export const VIEW_NAMES = Object.keys(VIEW_ROWS) as ViewName[];
