import './transactions.css';

import { useEffect, useMemo, useReducer, useRef, useState } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import { Button } from '../../components/Button';
import { at, isOne, rangeOf, type Selection } from '../../components/grid/selection';
import { Problem } from '../../components/ErrorBox';
import { ViewHead } from '../../components/ViewHeader';
import { useDo } from '../../operations/useOperation';
import { showAmount } from '../../values/amount';
import { whenOf } from '../../values/date';
import { useWorkbench } from '../../workbench/Workbench';
import { useNavigation } from '../../workbench/navigation';
import { useTransactionPlace } from '../../workbench/transactionPlace';
import { Chart } from './TransactionChart';
import { columnsOf, keepColumns, keptColumns } from './transactionColumns';
import { Detail } from './TransactionDetailPane';
import { ColumnsDialog, SaveDialog } from './TransactionDialogs';
import { Facets } from './Facets';
import { FilterBar } from './FilterBar';
import { useIndex, useRested } from './useIndexQueries';
import { asRequest, changed, type Change, EVERYTHING, isNarrowed, type Search } from './searchState';
import { Table } from './TransactionGrid';
import { useExport, Writing } from './ExportProgress';
import { useRefresh } from './useRefresh';

const COUNT = new Intl.NumberFormat('en-US');
const SUM_MS = 150;
/** While typing goes on nothing is asked. */
const TYPING_MS = 100;
const START = at(0, 0);

/** The search stays while other views are on screen. */
let kept: Search = EVERYTHING;

function step(search: Search, change: Change): Search {
  kept = changed(search, change);
  return kept;
}

/** Find, follow, complete: everything the service said of this profile's transactions. */
export function TransactionsView() {
  const [search, change] = useReducer(step, kept);
  const [names, setNames] = useState(keptColumns);
  const { transaction: open, arrived, show, asked, answered } = useTransactionPlace();
  const [dialog, setDialog] = useState<'save' | 'columns' | null>(null);
  const [charted, setCharted] = useState(false);
  const [total, setTotal] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const request = useRested(
    useMemo(() => asRequest(search), [search]),
    TYPING_MS,
  );
  // What is selected belongs to one question: the next one begins at its first row.
  const [picked, pick] = useState({ of: request, selection: START });
  const selection = picked.of === request ? picked.selection : START;
  const select = (next: Selection) => pick({ of: request, selection: next });
  const overview = useIndex('transactions_overview', {});
  const lastVisit = useVisit();
  const saved = useIndex('searches_list', {}).data;
  const summary = useIndex('transactions_summary', useRested(search.filter, SUM_MS), { previous: true });
  const refresh = useRefresh(search);
  const columns = columnsOf(names);
  const choose = (next: string[]) => {
    setNames(next);
    keepColumns(next);
  };
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
  const toTable = () => document.querySelector<HTMLElement>('.tx-grid')?.focus();
  const close = () => {
    show('');
    toTable();
  };
  // What another view asked for is a search of its own.
  useEffect(() => {
    if (!asked) return;
    change({ do: 'period', of: asked });
    answered();
  }, [asked, answered]);
  // What was opened from another view takes the focus itself, once.
  const [focused] = useState(arrived ? open : '');
  useEffect(() => {
    if (focused === '') field.current?.focus();
    else show(focused);
  }, [focused, show]);
  const group = 'Transactions';
  useActions([
    { id: 'transactions.find', title: 'Find a transaction', group, keys: 'Mod+F', run: () => field.current?.focus() },
    { id: 'transactions.refresh', title: 'Refresh transactions', group, keys: 'Mod+R', run: () => refresh.start() },
    { id: 'transactions.again', title: 'Fetch all days of this search again', group, run: () => refresh.start(true) },
    { id: 'transactions.xlsx', title: 'Save transactions as XLSX', group, keys: 'Mod+S', run: () => save('xlsx') },
    { id: 'transactions.csv', title: 'Save transactions as CSV', group, run: () => save('csv') },
    { id: 'transactions.save', title: 'Save this search', group, run: () => setDialog('save') },
    { id: 'transactions.columns', title: 'Choose columns', group, run: () => setDialog('columns') },
    { id: 'transactions.chart', title: 'Chart of transactions', group, run: () => setCharted(!charted) },
    ...(open === '' ? [] : [{ id: 'transactions.close', title: 'Close the transaction', group, run: close }]),
    ...(file.state
      ? [{ id: 'transactions.cancelFile', title: 'Cancel the file of transactions', group, run: file.cancel }]
      : []),
    { id: 'transactions.all', title: 'Show all transactions', group, run: () => change({ do: 'clear' }) },
  ]);
  const empty = overview.data?.records === 0;
  const noFile = empty ? 'Fetch the transactions first.' : file.busy && 'A file is being written.';
  return (
    <div className="view transactions">
      <ViewHead
        title="Transactions"
        note={<Known records={overview.data?.records} at={overview.data?.fetched[0]?.at} />}
      >
        {file.state && <Writing state={file.state} onCancel={file.cancel} />}
        <Progress refresh={refresh} />
      </ViewHead>
      <FilterBar
        search={search}
        change={change}
        lastVisit={lastVisit}
        saved={saved}
        onSaved={openSaved}
        onSave={() => setDialog('save')}
        field={field}
      />
      {overview.error && <Problem error={overview.error} onRemedy={() => void overview.refetch()} />}
      {refresh.state?.stage === 'failed' && (
        <p className="tx-trouble" role="alert">
          Not everything could be fetched: {refresh.state.trouble} What was read before is shown.
        </p>
      )}
      {empty && open === '' ? (
        <Empty onFetch={() => refresh.start()} running={refresh.running} />
      ) : (
        <div className="tx-body">
          <Facets
            facets={summary.data?.facets ?? []}
            chosen={(facet, value) => isChosen(search, facet, value)}
            onToggle={(facet, value) => change({ do: 'toggle', facet, value })}
          />
          <div className="tx-main">
            {charted && summary.data && (
              <Chart
                summary={summary.data}
                chosen={(facet, value) => isChosen(search, facet, value)}
                onToggle={(facet, value) => change({ do: 'toggle', facet, value })}
              />
            )}
            <Table
              search={request}
              columns={columns}
              selection={selection}
              onSelect={select}
              onSort={(sort) => change({ do: 'sort', sort })}
              onOpen={show}
              onTotal={setTotal}
            />
            {total === 0 && (
              <div className="empty">
                <strong>Nothing matches</strong>
                <p>
                  Only what was fetched is searched.{' '}
                  {isNarrowed(search) ? 'Take a choice back, or fetch the days you look for.' : ''}
                </p>
                <Button onClick={() => change({ do: 'clear' })}>Show all</Button>
              </div>
            )}
          </div>
          {open !== '' && <Detail id={open} focus={open === focused} onClose={close} />}
        </div>
      )}
      <div className="tx-totals">
        <Sum label="Found" totals={summary.data?.totals} />
        <Selected request={request} selection={selection} />
        <span className="spring" />
        <Button aria-pressed={charted} onClick={() => setCharted(!charted)}>
          Chart
        </Button>
        <Button onClick={() => setDialog('columns')}>Columns…</Button>
        <Button onClick={() => save('csv')} off={noFile}>
          Save as CSV
        </Button>
        <Button look="primary" keys="Mod+S" onClick={() => save('xlsx')} off={noFile}>
          Save as XLSX
        </Button>
      </div>
      {dialog === 'save' && (
        <SaveDialog search={request} columns={names} saved={saved} onClose={() => setDialog(null)} />
      )}
      {dialog === 'columns' && <ColumnsDialog names={names} onChange={choose} onClose={() => setDialog(null)} />}
    </div>
  );
}

function isChosen({ filter }: Search, facet: string, value: string): boolean {
  if (facet === 'statuses') return filter.statuses.includes(Number(value));
  const lists: Record<string, string[]> = {
    states: filter.states,
    types: filter.types,
    documents: filter.documents,
    paid: filter.paid,
    due: filter.due,
    months: filter.months,
  };
  return lists[facet]?.includes(value) ?? false;
}

/** Notes the visit once, and says when the one before it ended. */
function useVisit(): string {
  const { mutate } = useDo('transactions_visit');
  const [last, setLast] = useState('');
  useEffect(() => mutate({}, { onSuccess: (overview) => setLast(overview.last_visit) }), [mutate]);
  return last;
}

function Known({ records, at: fetchedAt }: { records: number | undefined; at: string | undefined }) {
  const { reference } = useWorkbench();
  if (records === undefined) return null;
  const when = fetchedAt === undefined ? 'not fetched yet' : `fetched ${whenOf(fetchedAt, reference.today)}`;
  return (
    <>
      {COUNT.format(records)} on this computer, {when}
    </>
  );
}

function Progress({ refresh }: { refresh: ReturnType<typeof useRefresh> }) {
  const { state, running } = refresh;
  if (!running || !state)
    return (
      <Button keys="Mod+R" onClick={() => refresh.start()}>
        Refresh
      </Button>
    );
  return (
    <span className="tx-progress">
      <progress max={Math.max(1, state.steps)} value={state.done} aria-label="Fetching" />
      <span className="quiet-text">
        {COUNT.format(state.read)} read {state.now !== '' && `(${state.now})`}
      </span>
      <Button small onClick={refresh.cancel}>
        Cancel
      </Button>
    </span>
  );
}

function Empty({ onFetch, running }: { onFetch(): void; running: boolean }) {
  const { go } = useNavigation();
  return (
    <div className="empty tx-empty">
      <strong>No transactions on this computer yet</strong>
      <p>
        Fetch what the service has of the last twelve months, or import a batch first. What was fetched is searched
        here, also without a network.
      </p>
      <div className="buttons">
        <Button look="primary" onClick={onFetch} off={running && 'They are being fetched.'}>
          Fetch transactions
        </Button>
        <Button onClick={() => go('batches')}>Go to batches</Button>
      </div>
    </div>
  );
}

type Totals = { count: number; premium: string; taxes: string; total: string };

function Sum({ label, totals }: { label: string; totals: Totals | undefined }) {
  if (!totals) return null;
  return (
    <span role="status">
      {label} <b>{COUNT.format(totals.count)}</b>, premium <b>{showAmount(totals.premium)}</b>, taxes{' '}
      <b>{showAmount(totals.taxes)}</b>, total <b>{showAmount(totals.total)}</b>
    </span>
  );
}

/** Sums of the rows that are selected, from the second on. */
function Selected({ request, selection }: { request: ReturnType<typeof asRequest>; selection: Selection }) {
  const range = useRested(rangeOf(selection), SUM_MS);
  const sum = useIndex(
    'transactions_sum',
    { search: request, from: range.top, to: range.bottom },
    { enabled: !isOne(range), previous: true },
  );
  return isOne(range) ? null : <Sum label="Selected" totals={sum.data} />;
}
