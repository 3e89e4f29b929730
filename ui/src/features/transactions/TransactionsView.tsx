import './transactions.css';

import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import type { AutoRefresh, TransactionSort, TransactionsOverview } from '../../bindings/operations';
import { Button, QueryError, useDebounced, ViewHeader } from '../../components';
import { selectCell, isSingleCell, selectedRange, type GridSelection } from '../../components/grid/selection';
import { useEditableSettings, useOperationMutation } from '../../operations';
import { formatCount, formatMoney } from '../../values';
import { IndexFreshness } from '../../workbench/IndexFreshness';
import { useNavigation } from '../../workbench/navigation';
import { useTransactionPlace } from '../../workbench/transactionPlace';
import { TransactionChart } from './TransactionChart';
import { findColumns } from './transactionColumns';
import { TransactionDetailPane } from './TransactionDetailPane';
import { ColumnsDialog, SaveSearchDialog } from './TransactionDialogs';
import { TransactionLookupDialog } from './TransactionLookupDialog';
import { FacetFilters } from './Facets';
import { FilterBar } from './FilterBar';
import { useIndexQuery } from './useIndexQueries';
import {
  toSearchRequest,
  reduceSearch,
  type SearchAction,
  BLANK_SEARCH,
  isChosen,
  isNarrowed,
  type SearchState,
} from './searchState';
import { TransactionGrid } from './TransactionGrid';
import { useExport, ExportProgress } from './ExportProgress';
import { useRefresh } from './useRefresh';

const SUM_MS = 150;
/** Pause in typing before a search. */
const TYPING_MS = 100;
const START = selectCell(0, 0);

/** The search stays while other views are on screen. */
let lastSearch: SearchState = BLANK_SEARCH;

function storeSearch(search: SearchState, change: SearchAction): SearchState {
  lastSearch = reduceSearch(search, change);
  return lastSearch;
}

/** Find, follow, complete: everything the service said of this profile's transactions. */
export function TransactionsView() {
  const [search, change] = useReducer(storeSearch, lastSearch);
  const { settings, updateSettings } = useEditableSettings();
  const names = settings.transaction_columns;
  const {
    transaction: open,
    isFromOtherView,
    selectTransaction,
    requestedPeriod,
    clearRequestedPeriod,
  } = useTransactionPlace();
  const [dialog, setDialog] = useState<'save' | 'columns' | 'look up' | null>(null);
  const [charted, setCharted] = useState(false);
  const [total, setTotal] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const request = useDebounced(
    useMemo(() => toSearchRequest(search), [search]),
    TYPING_MS,
  );
  // What is selected belongs to one question: the next one begins at its first row.
  const [picked, pick] = useState({ of: request, selection: START });
  const selection = picked.of === request ? picked.selection : START;
  const select = (next: GridSelection) => pick({ of: request, selection: next });
  const overview = useIndexQuery('transactions_overview', {});
  const lastVisit = useLastVisit();
  const saved = useIndexQuery('searches_list', {}).data;
  const summary = useIndexQuery('transactions_summary', useDebounced(search.filter, SUM_MS), { previous: true });
  const refresh = useRefresh(search);
  const offered = useMemo(() => overview.data?.columns ?? [], [overview.data]);
  const columns = useMemo(() => findColumns(offered, names), [offered, names]);
  const sortBy = useCallback((sort: TransactionSort) => change({ do: 'sort', sort }), []);
  const choose = (next: string[]) => updateSettings({ transaction_columns: next });
  const openSaved = (name: string) => {
    const found = saved?.searches.find((each) => each.name === name);
    if (!found) return;
    change({ do: 'open', search: found.search });
    if (found.columns.length > 0) choose(found.columns);
  };
  const file = useExport(
    request,
    columns.map((column) => column.name),
  );
  const save = file.save;
  // What is typed next replaces what was found before.
  const toFind = useCallback(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const toTable = () => document.querySelector<HTMLElement>('.tx-grid')?.focus();
  const close = () => {
    selectTransaction('');
    toTable();
  };
  // What another view asked for is a search of its own.
  useEffect(() => {
    if (!requestedPeriod) return;
    change({ do: 'period', of: requestedPeriod });
    clearRequestedPeriod();
  }, [requestedPeriod, clearRequestedPeriod]);
  // What was opened from another view takes the focus itself, once.
  const [focused] = useState(isFromOtherView ? open : '');
  useEffect(() => {
    if (focused === '') toFind();
    else selectTransaction(focused);
  }, [focused, selectTransaction, toFind]);
  const group = 'Transactions';
  useActions([
    { id: 'transactions.find', title: 'Find a transaction', group, keys: 'Mod+F', run: toFind },
    { id: 'transactions.refresh', title: 'Refresh transactions', group, keys: 'Mod+R', run: () => refresh.start() },
    { id: 'transactions.again', title: 'Reload all dates in this search', group, run: () => refresh.start(true) },
    { id: 'transactions.xlsx', title: 'Save transactions as XLSX', group, keys: 'Mod+S', run: () => save('xlsx') },
    { id: 'transactions.csv', title: 'Save transactions as CSV', group, run: () => save('csv') },
    { id: 'transactions.ask', title: 'Look up a transaction', group, run: () => setDialog('look up') },
    { id: 'transactions.save', title: 'Save search', group, run: () => setDialog('save') },
    { id: 'transactions.columns', title: 'Choose columns', group, run: () => setDialog('columns') },
    { id: 'transactions.chart', title: 'Show or hide chart', group, run: () => setCharted(!charted) },
    ...(open === '' ? [] : [{ id: 'transactions.close', title: 'Close transaction', group, run: close }]),
    ...(file.state ? [{ id: 'transactions.cancelFile', title: 'Cancel export', group, run: file.cancel }] : []),
    { id: 'transactions.all', title: 'Show all transactions', group, run: () => change({ do: 'clear' }) },
  ]);
  const empty = overview.data?.records === 0;
  const noFile = empty ? 'Load transactions first.' : file.busy && 'Working…';
  return (
    <div className="view transactions">
      <ViewHeader title="Transactions" note={<FetchNote overview={overview.data} running={refresh.running} />}>
        {file.state && <ExportProgress state={file.state} onCancel={file.cancel} />}
        <Button onClick={() => setDialog('look up')}>Look up transaction…</Button>
        <RefreshProgress refresh={refresh} auto={overview.data?.auto_refresh} />
      </ViewHeader>
      <FilterBar
        search={search}
        change={change}
        lastVisit={lastVisit}
        saved={saved}
        columns={offered}
        onSaved={openSaved}
        onSave={() => setDialog('save')}
        field={field}
        onLeave={toTable}
      />
      <QueryError of={overview} />
      {refresh.state?.stage === 'failed' && (
        <p className="warn-strip" role="alert">
          Some transactions couldn’t be loaded. {refresh.state.trouble}
          {!empty && ' Showing what was loaded before.'}
        </p>
      )}
      {empty && open === '' ? (
        <NoTransactions onFetch={() => refresh.start()} running={refresh.running} />
      ) : (
        <div className="tx-body">
          <FacetFilters
            facets={summary.data?.facets ?? []}
            chosen={(facet, value) => isChosen(search, facet, value)}
            onToggle={(facet, value) => change({ do: 'toggle', facet, value })}
          />
          <div className="column tx-main">
            {charted && summary.data && (
              <TransactionChart
                summary={summary.data}
                chosen={(facet, value) => isChosen(search, facet, value)}
                onToggle={(facet, value) => change({ do: 'toggle', facet, value })}
              />
            )}
            <TransactionGrid
              search={request}
              columns={columns}
              selection={selection}
              onSelect={select}
              onSort={sortBy}
              onOpen={selectTransaction}
              onTotal={setTotal}
            />
            {total === 0 && (
              <div className="empty">
                <strong>No matches</strong>
                <p>
                  Only loaded transactions are searched.{' '}
                  {isNarrowed(search) ? 'Remove a filter, or load more dates.' : ''}
                </p>
                <Button onClick={() => change({ do: 'clear' })}>Show all</Button>
              </div>
            )}
          </div>
          {open !== '' && <TransactionDetailPane id={open} focus={open === focused} onClose={close} />}
        </div>
      )}
      <div className="totals">
        <TotalsText label="Found" totals={summary.data?.totals} />
        <SelectionTotals request={request} selection={selection} />
        <span className="spring" />
        <Button aria-pressed={charted} onClick={() => setCharted(!charted)}>
          Chart
        </Button>
        <Button onClick={() => setDialog('columns')}>Columns…</Button>
        <Button onClick={() => save('csv')} disabledReason={noFile}>
          Save as CSV
        </Button>
        <Button look="primary" keys="Mod+S" onClick={() => save('xlsx')} disabledReason={noFile}>
          Save as XLSX
        </Button>
      </div>
      {dialog === 'save' && (
        <SaveSearchDialog search={request} columns={names} saved={saved} onClose={() => setDialog(null)} />
      )}
      {dialog === 'look up' && <TransactionLookupDialog onFound={selectTransaction} onClose={() => setDialog(null)} />}
      {dialog === 'columns' && (
        <ColumnsDialog columns={offered} names={names} onChange={choose} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

/** Notes the visit once, and says when the one before it ended. */
function useLastVisit(): string {
  const { mutate } = useOperationMutation('transactions_visit');
  const [last, setLast] = useState('');
  useEffect(() => mutate({}, { onSuccess: (overview) => setLast(overview.last_visit) }), [mutate]);
  return last;
}

/** How much is here, and how fresh it is. */
function FetchNote({ overview, running }: { overview: TransactionsOverview | undefined; running: boolean }) {
  if (!overview) return null;
  return (
    <>
      {formatCount(overview.records)} on this computer, <IndexFreshness overview={overview} running={running} />
    </>
  );
}

function RefreshProgress({ refresh, auto }: { refresh: ReturnType<typeof useRefresh>; auto: AutoRefresh | undefined }) {
  const { state, running } = refresh;
  if (!running || !state)
    return (
      <Button keys="Mod+R" onClick={() => refresh.start()}>
        {auto === 'stopped' ? 'Continue' : 'Refresh'}
      </Button>
    );
  return (
    <span className="in-line">
      <progress max={Math.max(1, state.steps)} value={state.done} aria-label="Loading" />
      <span className="quiet-text">
        {formatCount(state.read)} loaded {state.now !== '' && `(${state.now})`}
      </span>
      <Button small onClick={refresh.cancel}>
        {auto === 'off' ? 'Cancel' : 'Stop'}
      </Button>
    </span>
  );
}

function NoTransactions({ onFetch, running }: { onFetch(): void; running: boolean }) {
  const { go } = useNavigation();
  return (
    <div className="empty tx-empty">
      <strong>No transactions on this computer yet</strong>
      <p>
        Load the last 12 months from the service, or send a batch first. You can search loaded transactions offline.
      </p>
      <div className="buttons">
        <Button look="primary" onClick={onFetch} busy={running}>
          Load transactions
        </Button>
        <Button onClick={() => go('batches')}>Go to batches</Button>
      </div>
    </div>
  );
}

type SearchTotals = {
  count: number;
  premium: string;
  taxes: string;
  total: string;
  without_amounts: number;
  undated: number;
};

function TotalsText({ label, totals }: { label: string; totals: SearchTotals | undefined }) {
  if (!totals) return null;
  return (
    <span role="status">
      {label} <b>{formatCount(totals.count)}</b>, premium <b>{formatMoney(totals.premium)}</b>, taxes{' '}
      <b>{formatMoney(totals.taxes)}</b>, total <b>{formatMoney(totals.total)}</b>
      {totals.without_amounts > 0 && `, ${formatCount(totals.without_amounts)} with amounts missing`}
      {totals.undated > 0 && `; ${formatCount(totals.undated)} more without an effective date that can be read`}
    </span>
  );
}

/** Sums of the rows that are selected, from the second on. */
function SelectionTotals({
  request,
  selection,
}: {
  request: ReturnType<typeof toSearchRequest>;
  selection: GridSelection;
}) {
  const range = useDebounced(selectedRange(selection), SUM_MS);
  const sum = useIndexQuery(
    'transactions_sum',
    { search: request, from: range.top, to: range.bottom },
    { enabled: !isSingleCell(range), previous: true },
  );
  return isSingleCell(range) ? null : <TotalsText label="Selected" totals={sum.data} />;
}
