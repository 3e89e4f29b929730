import './due.css';

import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { DueEntry, DueKind, DueList } from '../../../bindings/operations';
import { Button, Checkbox, QueryError, SelectField, useDebounced, ViewHeader } from '../../../components';
import { SearchField } from '../../../components/SearchField';
import { useOperationQuery } from '../../../operations';
import { AssignmentFilter } from '../../../workbench/Assignment';
import { FreshnessNote } from '../../../workbench/IndexFreshness';
import { useNavigation } from '../../../workbench/navigation';
import { useWorkbench } from '../../../workbench/Workbench';
import { DueCalendar } from './DueCalendar';
import { DueNoticesDialog } from './DueNoticesDialog';
import { DueTable } from './DueTable';
import { DueEntryDialog } from './DueEntryDialog';
import { DUE_KINDS } from './dueLabels';
import { formatCount, pluralize } from '../../../values';
import { useFileSave } from '../../../operations/useOperation';

type DueLayout = 'table' | 'calendar';
const ANY = 'any';
const PAUSE_MS = 150;

/** What is to be filed and paid by when: overdue first, as a table or by month. */
export function DueView() {
  const { reference } = useWorkbench();
  const { subject } = useNavigation();
  const [state, setState] = useState(subject || ANY);
  const [kind, setKind] = useState(ANY);
  const [text, setText] = useState('');
  const search = useDebounced(text, PAUSE_MS).trim();
  const [shape, setShape] = useState<DueLayout>('table');
  const [showsMarked, setShowsMarked] = useState(false);
  const [whose, setWhose] = useState<string | null>(null);
  const [showsNotices, setShowsNotices] = useState(false);
  const [shown, setShown] = useState<DueEntry | null>(null);
  const request = {
    by: '',
    states: state === ANY ? [] : [state],
    kinds: kind === ANY ? [] : [kind as DueKind],
    transaction_id: '',
    marked: showsMarked,
    assigned_to: whose,
    search,
  };
  const list = useOperationQuery('due_list', request, { alwaysRefetch: true, keepPrevious: true });
  const exporting = useFileSave('due_export_ics');
  const save = () => exporting.save(request);
  const group = 'Due dates';
  useActions([
    { id: 'due.table', title: 'Due dates as a table', group, run: () => setShape('table') },
    { id: 'due.calendar', title: 'Due dates by month', group, run: () => setShape('calendar') },
    { id: 'due.notices', title: 'Notices about due dates', group, run: () => setShowsNotices(true) },
    { id: 'due.ics', title: 'Save due dates as a calendar file', group, keys: 'Mod+S', run: save },
  ]);
  const data = list.data;
  const states = [
    { code: ANY, name: 'All states' },
    ...(data?.states ?? []).map((code) => ({
      code,
      name: reference.states.find((each) => each.code === code)?.name ?? code,
    })),
  ];
  return (
    <div className="view due">
      <ViewHeader title="Due dates" note={<FreshnessNote note={data ? summarizeDue(data) : ''} />}>
        <Button onClick={() => setShowsNotices(true)}>Notices</Button>
        <Button
          keys="Mod+S"
          disabledReason={
            exporting.isPending ? 'Working…' : (data?.total ?? 0) === 0 && 'Nothing is due. Nothing to save.'
          }
          onClick={save}
        >
          Save as calendar
        </Button>
      </ViewHeader>
      <div className="view-body lists due-body">
        <QueryError of={list} />
        <div className="buttons at-end due-bar">
          <SearchField
            title="Search due dates"
            group={group}
            placeholder="Policy, insured, or what is due"
            value={text}
            onChange={setText}
          />
          <SelectField label="State" choices={states} value={state} onChange={setState} />
          <SelectField
            label="Type"
            choices={[{ code: ANY, name: 'All types' }, ...DUE_KINDS]}
            value={kind}
            onChange={setKind}
          />
          <AssignmentFilter value={whose} onChange={setWhose} />
          <div className="shapes" role="group" aria-label="Layout">
            <Button aria-pressed={shape === 'table'} onClick={() => setShape('table')}>
              Table
            </Button>
            <Button aria-pressed={shape === 'calendar'} onClick={() => setShape('calendar')}>
              Calendar
            </Button>
          </div>
          {data && (data.marked > 0 || showsMarked) && (
            <Checkbox
              label={`Done or not ours (${formatCount(data.marked)})`}
              checked={showsMarked}
              onChange={setShowsMarked}
            />
          )}
        </div>
        {data && data.total === 0 && (
          <NothingDue
            list={data}
            filtered={state !== ANY || kind !== ANY || showsMarked || whose !== null || search !== ''}
          />
        )}
        {data && data.total > 0 && shape === 'table' && <DueTable list={data} onShow={setShown} />}
        {data && data.total > 0 && shape === 'calendar' && <DueCalendar list={data} onShow={setShown} />}
        {data?.gaps.map((gap) => (
          <p key={gap} className="quiet-text">
            {gap}
          </p>
        ))}
      </div>
      {shown && <DueEntryDialog entry={shown} onClose={() => setShown(null)} />}
      {showsNotices && <DueNoticesDialog onClose={() => setShowsNotices(false)} />}
    </div>
  );
}

function summarizeDue(list: DueList): string {
  if (list.total === 0) return '';
  const parts = [`${formatCount(list.total - list.undated)} due`];
  if (list.overdue > 0) parts.push(`${formatCount(list.overdue)} overdue`);
  if (list.soon > 0) parts.push(`${formatCount(list.soon)} within a week`);
  if (list.undated > 0) parts.push(`${formatCount(list.undated)} without a date`);
  return parts.join(', ');
}

function NothingDue({ list, filtered }: { list: DueList; filtered: boolean }) {
  const { go } = useNavigation();
  return (
    <div className="card empty">
      <strong>{list.gaps.length > 0 ? 'Nothing is known to be due' : 'Nothing is due'}</strong>
      <p>
        {filtered
          ? 'Nothing is due with these filters.'
          : list.transactions === 0
            ? 'No transactions on this computer yet. They come from searches, sent batches, and events.'
            : list.gaps.length > 0
              ? `${pluralize(list.transactions, 'transaction')} on this computer.`
              : `Everything on this computer is filed and paid (${pluralize(list.transactions, 'transaction')}).`}
      </p>
      {!filtered && list.transactions === 0 && <Button onClick={() => go('transactions')}>Go to transactions</Button>}
    </div>
  );
}
