import type { AppAction } from '../../actions/ActionRegistry';
import type { BatchView, ProfileView, QuoteSummary, ReviewSummary, StateInfo } from '../../bindings/operations';
import { ENVIRONMENT_LABELS, quoteSearchText } from '../../components';
import { formatMoney, formatWhen, fuzzyMatchScore, pluralize, rankMatches } from '../../values';

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
  today: string;
  actions: AppAction[];
  states: StateInfo[];
  quotes: QuoteSummary[];
  profiles: ProfileView[];
  drafts: ReviewSummary[];
  batches: BatchView[];
  openDraft(id: string): void;
  openBatch(id: string): void;
  quoteFor(state: string): void;
  open(id: string): void;
  use(profile: string): void;
}

/** Everything the palette has at hand: actions, states, quotes, profiles, drafts, batches. */
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
  const drafts = sources.drafts.map((draft) => ({
    id: `draft ${draft.id}`,
    group: 'Drafts',
    title: draft.name,
    extra: `draft, ${pluralize(draft.rows, 'row')}`,
    run: () => sources.openDraft(draft.id),
  }));
  const batches = sources.batches.map((batch) => ({
    id: `batch ${batch.id}`,
    group: 'Batches',
    title: batch.name,
    extra: `batch of ${formatWhen(batch.created_at, sources.today)}`,
    run: () => sources.openBatch(batch.id),
  }));
  return [...actions, ...quotes, ...profiles, ...states, ...drafts, ...batches];
}

const NONE: PaletteEntry[] = [];
const MAX_ENTRIES = 40;
/** Of what the core found: before what only contains the words, behind what begins with them. */
const FOUND_SCORE = 550;

/**
 * What fits, best first; `found` are transactions that the core found for the query, by whatever of them. Without a
 * query the actions come first, as they are.
 */
export function searchEntries(all: PaletteEntry[], query: string, found: PaletteEntry[] = NONE): PaletteEntry[] {
  const score = (entry: PaletteEntry) => fuzzyMatchScore(query, entry.words ?? entry.title, entry.code ?? '');
  const scoreFound = (entry: PaletteEntry) => Math.max(score(entry) ?? 0, FOUND_SCORE);
  const isFound = new Set(found);
  return rankMatches([...all, ...found], (entry) => (isFound.has(entry) ? scoreFound(entry) : score(entry))).slice(
    0,
    MAX_ENTRIES,
  );
}
