import { useMemo, useState } from 'react';

import type { TransactionRow } from '../../bindings/operations';
import { useActionList } from '../../actions/ActionRegistry';
import { ShortcutKeys } from '../../components';
import { SearchDialog } from '../../components/SearchDialog';
import { useOperationQuery, useProfiles } from '../../operations';
import { useBatchPlace } from '../../workbench/batchPlace';
import { nameRow, useTransactionMatches } from '../../workbench/transactionChoices';
import { useOpenTransaction } from '../../workbench/transactionPlace';
import { useWorkbench } from '../../workbench/Workbench';
import { useNavigation } from '../../workbench/navigation';
import { useSavedQuotes } from '../quotes/saved/useSavedQuotes';
import { buildEntries, type PaletteEntry, searchEntries } from './paletteEntries';

/** Fewer letters would find any transaction. */
const LETTERS_MIN = 2;
const TRANSACTIONS_MAX = 8;
const NONE: TransactionRow[] = [];

/** Search or run a command: actions, states, quotes, profiles, transactions, batches and drafts. */
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
      placeholder="Command, state, quote, policy, insured, invoice, or file"
      query={query}
      onQuery={setQuery}
      results={found}
      onPick={run}
      onClose={onClose}
      emptyMessage={`No matches for “${query}”. Try a policy, an insured, a state name or code, or a word such as save.`}
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
  const { goTo, openBatch } = useBatchPlace();
  const openTransaction = useOpenTransaction();
  const drafts = useOperationQuery('review_list', {}, { alwaysRefetch: true }).data?.reviews;
  const batches = useOperationQuery('batch_list').data?.batches;
  const matches = useTransactionMatches(query, {
    count: TRANSACTIONS_MAX,
    enabled: query.trim().length >= LETTERS_MIN,
  });
  const { list: quotes, open: openQuote } = useSavedQuotes();
  const list = quotes.data;
  const profiles = useProfiles().data?.profiles;
  const all = useMemo(
    () =>
      buildEntries({
        actions,
        states: reference.states,
        quotes: [...(list?.saved ?? []), ...(list?.recent ?? [])],
        profiles: profiles ?? [],
        today: reference.today,
        drafts: drafts ?? [],
        batches: batches ?? [],
        openDraft: (id) => {
          goTo({ at: 'review', id });
          go('batches');
        },
        openBatch,
        quoteFor: (state) => {
          change({ do: 'edit', change: { state } });
          go('quote');
        },
        open: openQuote,
        use: onProfile,
      }),
    [actions, reference, list, profiles, drafts, batches, goTo, openBatch, change, go, openQuote, onProfile],
  );
  // Those for fewer letters would be run by Enter for what was typed since.
  const rows = matches.isCurrent ? matches.rows : NONE;
  const found = useMemo(
    () => rows.map((row) => ({ ...nameRow(row), group: 'Transactions', run: () => openTransaction(row.id) })),
    [rows, openTransaction],
  );
  return useMemo(() => searchEntries(all, query, found), [all, query, found]);
}
