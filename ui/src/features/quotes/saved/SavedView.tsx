import { useState } from 'react';

import type { QuoteSummary } from '../../../bindings/operations';
import {
  Amount,
  Button,
  CloseButton,
  ConfirmDialog,
  QueryError,
  quoteSearchText,
  ViewHeader,
} from '../../../components';
import { QUOTE_QUERIES } from '../../../operations';
import { useSavedQuotes } from './useSavedQuotes';
import { formatShortcut, formatWhen, fuzzyMatchScore, rankMatches } from '../../../values';
import { useWorkbench } from '../../../workbench/Workbench';
import { useNavigation } from '../../../workbench/navigation';
import { TableCard } from '../../../components/DataTable';
import { SearchField } from '../../../components/SearchField';

/** Saved quotes, and the last ones asked. */
export function SavedView() {
  const { list, open } = useSavedQuotes();
  const { go } = useNavigation();
  const { reference } = useWorkbench();
  const [query, setQuery] = useState('');
  const [removing, setRemoving] = useState<QuoteSummary | null>(null);
  const filterQuotes = (quotes: QuoteSummary[]) =>
    rankMatches(quotes, (quote) => fuzzyMatchScore(query, quoteSearchText(quote, reference.states), quote.state));
  const saved = filterQuotes(list.data?.saved ?? []);
  const recent = filterQuotes(list.data?.recent ?? []);
  const empty = list.data && list.data.saved.length + list.data.recent.length === 0;
  return (
    <div className="view saved">
      <ViewHeader
        title="Saved quotes"
        note={list.data ? `${list.data.saved.length} saved, ${list.data.recent.length} recent` : ''}
      />
      <div className="view-body lists">
        <QueryError of={list} />
        {empty ? (
          <div className="card empty">
            <strong>No quotes yet</strong>
            <p>
              Save a quote with {formatShortcut('Mod+S')} in the quote view. Quotes calculated by the service are listed
              here as recent.
            </p>
            <Button look="primary" keys="Mod+1" onClick={() => go('quote')}>
              Go to quote
            </Button>
          </div>
        ) : (
          <>
            <SearchField
              title="Search saved quotes"
              group="Saved quotes"
              placeholder="Name, insured, or state"
              value={query}
              onChange={setQuery}
              className="narrow"
            />
            <QuoteTable title="Saved" quotes={saved} query={query} onOpen={open} onRemove={setRemoving} />
            <QuoteTable title="Recent" quotes={recent} query={query} onOpen={open} />
          </>
        )}
      </div>
      {removing && (
        <ConfirmDialog
          title="Remove this quote?"
          keep="Keep quote"
          act="Remove"
          operation="quote_remove"
          request={{ id: removing.id }}
          refresh={QUOTE_QUERIES}
          done={`Removed ${removing.name}.`}
          onClose={() => setRemoving(null)}
        >
          “{removing.name}” will be removed from this computer. Nothing changes at the service.
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Of the same widths in both tables. */
const QUOTE_COLUMNS = [
  'Quote',
  { text: 'State', width: '8rem' },
  { text: 'Transaction', width: '22rem' },
  { text: 'Date', width: '14rem' },
  { num: 'Total due', width: '14rem' },
  { hidden: 'Actions' },
];

interface TableProps {
  title: string;
  quotes: QuoteSummary[];
  /** What was searched for. */
  query: string;
  onOpen(id: string, done?: () => void, as?: 'copy'): void;
  onRemove?: (quote: QuoteSummary) => void;
}

function QuoteTable({ title, quotes, query, onOpen, onRemove }: TableProps) {
  const { reference } = useWorkbench();
  const typeOf = (code: string) => reference.transaction_types.find((type) => type.code === code)?.name ?? code;
  const none =
    query.trim() !== ''
      ? `No quotes match “${query.trim()}”.`
      : onRemove
        ? `No saved quotes yet. Press ${formatShortcut('Mod+S')} in a quote to save it here.`
        : 'Quotes calculated by the service are listed here.';
  return (
    <TableCard
      title={title}
      label={`${title} quotes, amounts in US dollars`}
      columns={QUOTE_COLUMNS}
      none={quotes.length === 0 && none}
    >
      {quotes.map((quote) => (
        <tr key={quote.id}>
          <td>
            <button type="button" className="link-button" onClick={() => onOpen(quote.id)}>
              {quote.name}
            </button>
          </td>
          <td>{quote.state}</td>
          <td>{typeOf(quote.transaction_type)}</td>
          <td className="quiet-text">{formatWhen(quote.at, reference.today)}</td>
          <td className="num">
            {quote.total === null ? <span className="quiet-text">not calculated</span> : <Amount value={quote.total} />}
          </td>
          <td className="row-actions">
            <Button
              small
              aria-label={`Open a copy of ${quote.name}`}
              onClick={() => onOpen(quote.id, undefined, 'copy')}
            >
              Open a copy
            </Button>
            {onRemove ? (
              <CloseButton label={`Remove ${quote.name}`} onClick={() => onRemove(quote)} />
            ) : (
              <span className="icon-button" />
            )}
          </td>
        </tr>
      ))}
    </TableCard>
  );
}
