import { useState } from 'react';

import { useQuoteList, useReference } from '../../../operations/useOperation';
import { showAmount } from '../../../values/amount';
import { whenOf } from '../../../values/date';
import { showKeys } from '../../../values/shortcuts';
import { fuzzyFit, ranked } from '../../../values/matchScore';
import { Finder } from '../../../components/Finder';
import { findableName } from '../../../components/labels';

/** Saved and recent quotes with a search. */
export function OpenDialog({ onClose, onOpen }: { onClose(): void; onOpen(id: string): void }) {
  const [query, setQuery] = useState('');
  const list = useQuoteList().data;
  const reference = useReference().data;
  const today = reference?.today ?? '';
  const quotes = [...(list?.saved ?? []), ...(list?.recent ?? [])];
  const found = ranked(quotes, (quote) => fuzzyFit(query, findableName(quote, reference?.states ?? []), quote.state));
  const nothing = `Nothing is saved yet. Save a quote with ${showKeys('Mod+S')}; quotes you asked the service for are kept as recent.`;
  return (
    <Finder
      title="Open a saved or recent quote"
      name="open"
      placeholder="Name, insured or state"
      query={query}
      onQuery={setQuery}
      found={found}
      onPick={(quote) => onOpen(quote.id)}
      onClose={onClose}
      none={!list ? '' : quotes.length === 0 ? nothing : `No quote fits “${query}”.`}
      render={(quote) => (
        <>
          <span>
            {quote.name}{' '}
            <span className="extra">
              {quote.saved ? 'saved' : 'recent'} {whenOf(quote.at, today)}
            </span>
          </span>
          <span className="num">{quote.total === null ? '' : showAmount(quote.total)}</span>
        </>
      )}
    />
  );
}
