import './due.css';

import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { DueEntry, DueList } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Choose } from '../../../components/SelectField';
import { Problem } from '../../../components/ErrorBox';
import { ViewHead } from '../../../components/ViewHeader';
import { useNotices } from '../../../operations/toasts';
import { useAsk, useDo } from '../../../operations/useOperation';
import { useWorkbench } from '../../../workbench/Workbench';
import { DueCalendar } from './DueCalendar';
import { DueTable } from './DueTable';
import { EntryDialog } from './DueEntryDialog';
import { COUNT, KINDS } from './dueLabels';

type Shape = 'table' | 'calendar';
const ANY = 'any';

/** What is to be filed and paid by when: overdue first, as a table or by month. */
export function DueView() {
  const { reference } = useWorkbench();
  const [state, setState] = useState(ANY);
  const [kind, setKind] = useState(ANY);
  const [shape, setShape] = useState<Shape>('table');
  const [shown, setShown] = useState<DueEntry | null>(null);
  const request = {
    by: '',
    states: state === ANY ? [] : [state],
    kinds: kind === ANY ? [] : [kind],
    transaction_id: '',
  };
  const list = useAsk('due_list', request, { fresh: true });
  const exporting = useDo('due_export_ics');
  const { tell, fail } = useNotices();
  const save = () =>
    exporting.mutate(request, {
      onSuccess: ({ saved, file_name }) => saved && tell(`Saved ${file_name}.`),
      onError: fail,
    });
  const group = 'Due dates';
  useActions([
    { id: 'due.table', title: 'Due dates as a table', group, run: () => setShape('table') },
    { id: 'due.calendar', title: 'Due dates by month', group, run: () => setShape('calendar') },
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
      <ViewHead title="Due dates" note={data ? summary(data) : ''}>
        <Button
          keys="Mod+S"
          off={
            exporting.isPending
              ? 'It is being saved.'
              : (data?.total ?? 0) === 0 && 'Nothing is due: there is nothing to save.'
          }
          onClick={save}
        >
          Save as calendar
        </Button>
      </ViewHead>
      <div className="lists due-body">
        {list.error && <Problem error={list.error} onRemedy={() => void list.refetch()} />}
        <div className="due-bar">
          <Choose label="State" choices={states} value={state} onChange={setState} />
          <Choose
            label="Kind"
            choices={[{ code: ANY, name: 'Everything' }, ...KINDS]}
            value={kind}
            onChange={setKind}
          />
          <div className="shapes" role="group" aria-label="Shown as">
            <Button aria-pressed={shape === 'table'} onClick={() => setShape('table')}>
              Table
            </Button>
            <Button aria-pressed={shape === 'calendar'} onClick={() => setShape('calendar')}>
              Calendar
            </Button>
          </div>
        </div>
        {data && data.total === 0 && <Nothing list={data} filtered={state !== ANY || kind !== ANY} />}
        {data && data.total > 0 && shape === 'table' && <DueTable list={data} onShow={setShown} />}
        {data && data.total > 0 && shape === 'calendar' && <DueCalendar list={data} onShow={setShown} />}
        {data && data.unreadable > 0 && (
          <p className="quiet-text">
            Of {COUNT.format(data.unreadable)} transactions nothing can be said: their state, type or effective date is
            missing.
          </p>
        )}
      </div>
      {shown && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </div>
  );
}

function summary(list: DueList): string {
  if (list.total === 0) return '';
  const parts = [`${COUNT.format(list.total)} due`];
  if (list.overdue > 0) parts.push(`${COUNT.format(list.overdue)} overdue`);
  if (list.soon > 0) parts.push(`${COUNT.format(list.soon)} within a week`);
  return parts.join(', ');
}

function Nothing({ list, filtered }: { list: DueList; filtered: boolean }) {
  return (
    <div className="card empty">
      <strong>Nothing is due</strong>
      <p>
        {filtered
          ? 'Nothing fits this state and kind.'
          : list.transactions === 0
            ? 'No transactions are known here yet. They come from a search, a batch that was sent, or an event.'
            : `All ${COUNT.format(list.transactions)} transactions this desk has seen are filed and paid.`}
      </p>
    </div>
  );
}
