import { type Dispatch, type ReactNode, useCallback, useEffect, useMemo, useReducer, useRef } from 'react';

import type { ReferenceData } from '../bindings/operations';
import { createRequiredContext } from '../components/requiredContext';
import { findActiveProfile, usePlatform, useProfiles, useToasts } from '../operations';
import { blankQuote, serializeForm, type Quote, reduceQuote, type QuoteAction } from './quoteState';

interface WorkbenchState {
  quote: Quote;
  change: Dispatch<QuoteAction>;
  reference: ReferenceData;
}

const [Provider, useWorkbench] = createRequiredContext<WorkbenchState>('quote');
export { useWorkbench };

const DRAFT_PAUSE_MS = 500;

/** Keeps the quote while views come and go, restores the draft at start and stores it while the person types. */
interface Props {
  reference: ReferenceData;
  /** Shown until the draft is known. */
  fallback: ReactNode;
  children: ReactNode;
}

export function WorkbenchProvider({ reference, fallback, children }: Props) {
  const [quote, change] = useReducer(reduceQuote, reference.today, blankQuote);
  const [ready, markReady] = useReducer(() => true, false);
  const platform = usePlatform();
  useEffect(() => {
    let current = true;
    platform.call('draft_load', {}).then(
      (draft) => {
        if (!current) return;
        if (draft.request) change({ do: 'restore', form: draft.request, at: draft.at });
        markReady();
      },
      // Without a draft the form starts empty: nothing to tell.
      () => current && markReady(),
    );
    return () => {
      current = false;
    };
  }, [platform]);
  useDraftStorage(quote, change, ready);
  useProfileChange(change);
  const value = useMemo(() => ({ quote, change, reference }), [quote, reference]);
  // Until the draft is known nothing may be typed that it would overwrite: it takes a few milliseconds.
  return ready ? <Provider value={value}>{children}</Provider> : fallback;
}

/** Puts another quote on the table; the one that was there comes back with Undo, unless nothing was typed in it. */
export function useReplaceQuote(): (next: QuoteAction, message: string) => void {
  const { quote, change } = useWorkbench();
  const { showToast } = useToasts();
  return useCallback(
    (next, message) => {
      change(next);
      const blank = blankQuote(quote.form.policy_effective).form;
      if (serializeForm(quote.form) !== serializeForm(blank))
        showToast(message, () => change({ do: 'put back', quote }));
    },
    [quote, change, showToast],
  );
}

/** What another profile's service refused says nothing of this one's. */
function useProfileChange(change: Dispatch<QuoteAction>): void {
  const profile = findActiveProfile(useProfiles().data?.profiles)?.profile.id;
  const before = useRef(profile);
  useEffect(() => {
    if (before.current !== undefined && profile !== undefined && profile !== before.current)
      change({ do: 'profile changed' });
    before.current = profile ?? before.current;
  }, [profile, change]);
}

function useDraftStorage(quote: Quote, change: Dispatch<QuoteAction>, ready: boolean): void {
  const platform = usePlatform();
  const key = serializeForm(quote.form);
  const blank = useMemo(
    () => key === serializeForm(blankQuote(quote.form.policy_effective).form),
    [key, quote.form.policy_effective],
  );
  const untouched = quote.generation === 0 && quote.draftSavedAt === '' && blank;
  useEffect(() => {
    if (!ready || untouched) return;
    const store = () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', store);
      platform.call('draft_save', JSON.parse(key)).then(
        (draft) => change({ do: 'draft stored', at: draft.at }),
        () => change({ do: 'draft stored', at: '' }),
      );
    };
    const timer = setTimeout(store, DRAFT_PAUSE_MS);
    // A window closed in the middle of a word keeps the word.
    window.addEventListener('pagehide', store);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', store);
    };
  }, [platform, change, key, ready, untouched]);
}
