import { quoteSearchText } from '../../../components';
import { useState } from 'react';

import { useQuoteList, useReferenceData } from '../../../operations';
import { formatAmount, formatShortcut, formatWhen, fuzzyMatchScore, rankMatches } from '../../../values';
import { SearchDialog } from '../../../components/SearchDialog';

/** Saved and recent quotes with a search. */
export function OpenQuoteDialog({ onClose, onOpen }: { onClose(): void; onOpen(id: string): void }) {
  const [query, setQuery] = useState('');
  const list = useQuoteList().data;
  const reference = useReferenceData().data;
  const today = reference?.today ?? '';
  const quotes = [...(list?.saved ?? []), ...(list?.recent ?? [])];
  const found = rankMatches(quotes, (quote) =>
    fuzzyMatchScore(query, quoteSearchText(quote, reference?.states ?? []), quote.state),
  );
  const nothing = `No saved quotes yet. Save a quote with ${formatShortcut('Mod+S')}. Quotes calculated by the service are listed as recent.`;
  return (
    <SearchDialog
      title="Open a saved or recent quote"
      name="open"
      placeholder="Name, insured, or state"
      query={query}
      onQuery={setQuery}
      results={found}
      onPick={(quote) => onOpen(quote.id)}
      onClose={onClose}
      emptyMessage={!list ? '' : quotes.length === 0 ? nothing : `No quotes match “${query}”.`}
      renderItem={(quote) => (
        <>
          <span>
            {quote.name}{' '}
            <span className="extra">
              {quote.saved ? 'saved' : 'recent'} {formatWhen(quote.at, today)}
            </span>
          </span>
          <span className="num">{quote.total === null ? '' : formatAmount(quote.total)}</span>
        </>
      )}
    />
  );
}
