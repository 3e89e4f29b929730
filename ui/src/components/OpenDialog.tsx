import { type KeyboardEvent, useState } from 'react';

import type { QuoteSummary } from '../bindings/operations';
import { useQuoteList, useReference } from '../desk/queries';
import { showAmount } from '../values/amount';
import { whenOf } from '../values/date';
import { fuzzyFit, ranked } from '../values/search';
import { Dialog } from './Dialog';
import { Icon } from './Icon';
import { findableName } from './words';

/** Saved and recent quotes with a search: arrows and Enter, or the pointer. */
export function OpenDialog({ onClose, onOpen }: { onClose(): void; onOpen(id: string): void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useQuoteList().data;
  const reference = useReference().data;
  const today = reference?.today ?? '';
  const quotes = [...(list?.saved ?? []), ...(list?.recent ?? [])];
  const found = ranked(quotes, (quote) => fuzzyFit(query, findableName(quote, reference?.states ?? []), quote.state));
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[at];
    if (move) setAt(Math.min(Math.max(at + move, 0), Math.max(found.length - 1, 0)));
    else if (event.key === 'Enter' && chosen) onOpen(chosen.id);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Open a quote" bare onClose={onClose}>
      <div className="palette-field">
        <Icon name="search" />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-label="Search saved and recent quotes"
          aria-expanded="true"
          aria-controls="open-list"
          aria-activedescendant={found[at] ? `open-${at}` : undefined}
          placeholder="Open a saved or recent quote: name, insured or state"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="palette-list" id="open-list" role="listbox" aria-label="Quotes">
        {found.map((quote, index) => (
          <Option
            key={quote.id}
            quote={quote}
            today={today}
            id={`open-${index}`}
            on={index === at}
            onPick={() => onOpen(quote.id)}
          />
        ))}
      </div>
      {list && quotes.length === 0 && (
        <p className="empty">
          Nothing is saved yet. Save a quote with Ctrl S; quotes you asked the service for are kept as recent.
        </p>
      )}
      {quotes.length > 0 && found.length === 0 && <p className="empty">No quote fits “{query}”.</p>}
    </Dialog>
  );
}

interface OptionProps {
  quote: QuoteSummary;
  today: string;
  id: string;
  on: boolean;
  onPick(): void;
}

function Option({ quote, today, id, on, onPick }: OptionProps) {
  return (
    // Keys are handled by the search field, which names the active option.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div id={id} role="option" tabIndex={-1} aria-selected={on} className={`option ${on ? 'on' : ''}`} onClick={onPick}>
      <span>
        {quote.name}
        <span className="extra">
          {quote.saved ? 'saved' : 'recent'} {whenOf(quote.at, today)}
        </span>
      </span>
      <span className="num">{quote.total === null ? '' : showAmount(quote.total)}</span>
    </div>
  );
}
