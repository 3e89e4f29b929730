import { useMemo, useState } from 'react';

import { useActionList } from '../../actions/ActionRegistry';
import { Keys } from '../../components/Button';
import { Finder } from '../../components/Finder';
import { useNotices } from '../../operations/toasts';
import { useDo, useProfiles, useQuoteList } from '../../operations/useOperation';
import { useWorkbench } from '../../workbench/Workbench';
import { useNavigation } from '../../workbench/navigation';
import { entries, type Entry, find } from './paletteEntries';

/** Find or do anything: actions, states, quotes, profiles. */
export function Palette({ onClose, onProfile }: { onClose(): void; onProfile(id: string): void }) {
  const [query, setQuery] = useState('');
  const found = useFound(query, onProfile);
  const run = (entry: Entry) => {
    onClose();
    // After the dialog has given the focus back.
    setTimeout(entry.run);
  };
  return (
    <Finder
      title="Find or do anything"
      name="palette"
      placeholder="An action, a state, a saved quote, a profile"
      query={query}
      onQuery={setQuery}
      found={found}
      onPick={run}
      onClose={onClose}
      none={`Nothing fits “${query}”. Try a state’s name or code, or a word such as save.`}
      render={(entry) => (
        <>
          <span>
            {entry.title} <span className="extra">{entry.extra ?? entry.group}</span>
          </span>
          {entry.keys ? <Keys of={entry.keys} /> : <span className="suffix">{entry.code}</span>}
        </>
      )}
    />
  );
}

function useFound(query: string, onProfile: (id: string) => void): Entry[] {
  const actions = useActionList();
  const { reference, change } = useWorkbench();
  const { go } = useNavigation();
  const { fail } = useNotices();
  const list = useQuoteList().data;
  const profiles = useProfiles().data?.profiles;
  const openQuote = useDo('quote_open').mutate;
  const all = useMemo(
    () =>
      entries({
        actions,
        states: reference.states,
        quotes: [...(list?.saved ?? []), ...(list?.recent ?? [])],
        profiles: profiles ?? [],
        quoteFor: (state) => {
          change({ do: 'edit', change: { state } });
          go('quote');
        },
        open: (id) =>
          openQuote(
            { id },
            {
              onSuccess: (quote) => {
                const saved = list?.saved.some((each) => each.id === id) ?? false;
                change({ do: 'open', quote, as: saved ? 'saved' : 'copy' });
                go('quote');
              },
              onError: fail,
            },
          ),
        use: onProfile,
      }),
    [actions, reference, list, profiles, change, go, openQuote, fail, onProfile],
  );
  return useMemo(() => find(all, query), [all, query]);
}
