import type { AppAction } from '../../actions/ActionRegistry';
import type { ProfileView, QuoteSummary, StateInfo } from '../../bindings/operations';
import { ENVIRONMENT_LABELS, quoteSearchText } from '../../components';
import { formatMoney, fuzzyMatchScore, rankMatches } from '../../values';

/** A line of the palette. */
export interface PaletteEntry {
  id: string;
  group: string;
  title: string;
  /** Found by these words instead of the title. */
  words?: string;
  /** Found by this code too. */
  code?: string;
  /** Gray text behind. */
  extra?: string;
  keys?: string;
  run(): void;
}

interface PaletteSources {
  actions: AppAction[];
  states: StateInfo[];
  quotes: QuoteSummary[];
  profiles: ProfileView[];
  quoteFor(state: string): void;
  open(id: string): void;
  use(profile: string): void;
}

/** Everything the palette can find: actions, states, quotes, profiles. */
export function buildEntries(sources: PaletteSources): PaletteEntry[] {
  const actions = sources.actions
    .filter((action) => action.id !== 'shell.palette')
    .map((action) => ({ ...action, id: `action ${action.id}` }));
  const profiles = sources.profiles
    .filter((view) => !view.active)
    .map(({ profile }) => ({
      id: `profile ${profile.id}`,
      group: 'Profiles',
      title: `Use profile ${profile.name}`,
      extra: ENVIRONMENT_LABELS[profile.environment],
      run: () => sources.use(profile.id),
    }));
  const quotes = sources.quotes.map((quote) => ({
    id: `quote ${quote.id}`,
    group: quote.saved ? 'Saved quotes' : 'Recent quotes',
    title: quote.name,
    words: quoteSearchText(quote, sources.states),
    code: quote.state,
    ...(quote.total === null ? {} : { extra: formatMoney(quote.total) }),
    run: () => sources.open(quote.id),
  }));
  const states = sources.states.map((state) => ({
    id: `state ${state.code}`,
    group: 'States',
    title: `Quote for ${state.name}`,
    code: state.code,
    run: () => sources.quoteFor(state.code),
  }));
  return [...actions, ...quotes, ...profiles, ...states];
}

const MAX_ENTRIES = 40;

/** What fits, best first. Without a query the actions come first, as they are. */
export function searchEntries(all: PaletteEntry[], query: string): PaletteEntry[] {
  return rankMatches(all, (entry) => fuzzyMatchScore(query, entry.words ?? entry.title, entry.code ?? '')).slice(
    0,
    MAX_ENTRIES,
  );
}
