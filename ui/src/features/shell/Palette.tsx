import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';

import { useActionList } from '../../actions/registry';
import { Keys } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Icon } from '../../components/Icon';
import { useNotices } from '../../desk/notices';
import { useDo, useProfiles, useQuoteList } from '../../desk/queries';
import { useWorkbench } from '../../workbench/context';
import { useNavigation } from '../../workbench/navigation';
import { entries, type Entry, find } from './palette';

/** Find or do anything: actions, states, quotes, profiles. */
export function Palette({ onClose, onProfile }: { onClose(): void; onProfile(id: string): void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const found = useFound(query, onProfile);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest' });
  }, [at, query]);
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    // After the dialog has given the focus back.
    setTimeout(entry.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (move) setAt((now) => Math.min(Math.max(now + move, 0), Math.max(found.length - 1, 0)));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find or do anything" bare onClose={onClose}>
      <div className="palette-field">
        <Icon name="search" />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-label="Find or do anything"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[at] ? `palette-${at}` : undefined}
          placeholder="An action, a state, a saved quote, a profile"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Keys of="Esc" />
      </div>
      <div className="palette-list" id="palette-list" role="listbox" aria-label="Found" ref={list}>
        {found.map((entry, index) => (
          // Keys are handled by the field above, which names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={`option ${index === at ? 'on' : ''}`}
            onPointerMove={() => setAt(index)}
            onClick={() => run(entry)}
          >
            <span>
              {entry.title}
              <span className="extra">{entry.extra ?? entry.group}</span>
            </span>
            {entry.keys ? <Keys of={entry.keys} /> : <span className="suffix">{entry.code}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="empty">Nothing fits “{query}”. Try a state’s name or code, or a word such as save.</p>
      )}
    </Dialog>
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
