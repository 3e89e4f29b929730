import { useMemo, useState } from 'react';

import { useActionList } from '../../actions/ActionRegistry';
import { ShortcutKeys } from '../../components';
import { SearchDialog } from '../../components/SearchDialog';
import { useOperationMutation, useProfiles, useQuoteList, useToasts } from '../../operations';
import { useWorkbench } from '../../workbench/Workbench';
import { useNavigation } from '../../workbench/navigation';
import { buildEntries, type PaletteEntry, searchEntries } from './paletteEntries';

/** Search or run a command: actions, states, quotes, profiles. */
export function CommandPalette({ onClose, onProfile }: { onClose(): void; onProfile(id: string): void }) {
  const [query, setQuery] = useState('');
  const found = usePaletteResults(query, onProfile);
  const run = (entry: PaletteEntry) => {
    onClose();
    // After the dialog has given the focus back.
    setTimeout(entry.run);
  };
  return (
    <SearchDialog
      title="Search or run a command"
      name="palette"
      placeholder="Command, state, saved quote, or profile"
      query={query}
      onQuery={setQuery}
      results={found}
      onPick={run}
      onClose={onClose}
      emptyMessage={`No matches for “${query}”. Try a state name or code, or a word such as save.`}
      renderItem={(entry) => (
        <>
          <span>
            {entry.title} <span className="extra">{entry.extra ?? entry.group}</span>
          </span>
          {entry.keys ? <ShortcutKeys keys={entry.keys} /> : <span className="suffix">{entry.code}</span>}
        </>
      )}
    />
  );
}

function usePaletteResults(query: string, onProfile: (id: string) => void): PaletteEntry[] {
  const actions = useActionList();
  const { reference, change } = useWorkbench();
  const { go } = useNavigation();
  const { showError } = useToasts();
  const list = useQuoteList().data;
  const profiles = useProfiles().data?.profiles;
  const openQuote = useOperationMutation('quote_open').mutate;
  const all = useMemo(
    () =>
      buildEntries({
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
              onError: showError,
            },
          ),
        use: onProfile,
      }),
    [actions, reference, list, profiles, change, go, openQuote, showError, onProfile],
  );
  return useMemo(() => searchEntries(all, query), [all, query]);
}
