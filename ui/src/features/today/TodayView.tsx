import './today.css';

import { type KeyboardEvent, type ReactNode } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import type { BatchView, OwnWork, TodayView as Today } from '../../bindings/operations';
import { Amount, Button, QueryError, Tag, ViewHeader, WordTag } from '../../components';
import { useEditableSettings, useOperationAction, useOperationQuery } from '../../operations';
import { formatCount, formatLongDate, formatWeekdayDate, formatWhen, pluralize } from '../../values';
import type { ViewName } from '../../views';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useDocumentPlace } from '../../workbench/documentPlace';
import { useNavigation } from '../../workbench/navigation';
import { useWorkbench } from '../../workbench/Workbench';
import { batchStateLabel } from '../batches/batchLabels';
import { useSavedQuotes } from '../quotes/saved/useSavedQuotes';
import { FirstSteps } from './FirstSteps';

/** What has to be looked at now, each line one click from its subject. */
export function TodayView() {
  const query = useOperationQuery('today_show', {}, { alwaysRefetch: true });
  const { settings, updateSettings } = useEditableSettings();
  const today = query.data;
  const steps = today?.steps;
  const areStepsDone = steps ? steps.quoted && steps.imported && steps.connected : true;
  const showsSteps = !areStepsDone && !settings.first_steps_hidden;
  useActions([
    {
      id: 'today.steps',
      title: settings.first_steps_hidden ? 'Show first steps' : 'Hide first steps',
      group: 'Today',
      run: () => updateSettings({ first_steps_hidden: !settings.first_steps_hidden }),
    },
  ]);
  return (
    <div className="view today">
      <ViewHeader title="Today" note={today && formatWeekdayDate(today.today)} />
      <div className="view-body scrolls">
        <QueryError of={query} />
        {steps && showsSteps && (
          <FirstSteps steps={steps} onHide={() => updateSettings({ first_steps_hidden: true })} />
        )}
        {today && <TodayCards today={today} quiet={showsSteps} />}
      </div>
    </div>
  );
}

/** Up and down go from line to line, over the cards. */
function moveBetweenLines(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const lines = [...document.querySelectorAll<HTMLElement>('.today-line')];
  if (step === 0) return;
  event.preventDefault();
  lines[lines.indexOf(event.currentTarget) + step]?.focus();
}

function TodayCards({ today, quiet }: { today: Today; quiet: boolean }) {
  const { show } = useNavigation();
  const { openBatch, openDraft, startReview } = useBatchPlace();
  const { openDocuments } = useDocumentPlace();
  const { open: openQuote } = useSavedQuotes();
  const { reference } = useWorkbench();
  const marking = useOperationAction('events_mark', ['events_list', 'events_status', 'today_show']);
  const openEvent = (id: string) => {
    marking.mutate({ ids: [id], all: false, read: true });
    show('events', id);
  };
  const stateName = (code: string) => reference.states.find((state) => state.code === code)?.name ?? code;
  const sending = today.sending_total + today.uploads;
  const due = today.overdue + today.soon;
  const toDo = today.to_decide_total + today.to_correct_total + today.refused_uploads + today.missing_required;
  const all = due + toDo + today.drafts_total + today.events_total + sending;
  return (
    <>
      {today.due_gaps.map((gap) => (
        <p key={gap} className="quiet-text">
          {gap}
        </p>
      ))}
      {all === 0 && today.due_gaps.length === 0 && !quiet && (
        <div className="card empty">
          <strong>Nothing needs your attention</strong>
          <p>Nothing is due this week, and no batch, document, or event is waiting.</p>
        </div>
      )}
      <div className="card-columns today-cards">
        {today.own_work && <OwnWorkCard work={today.own_work} />}
        <TodayCard title="Overdue and due this week" count={due} view="due" all="All due dates">
          {today.due.map((of) => (
            <TodayLine
              key={of.state}
              what={stateName(of.state)}
              detail={`${of.title}, ${formatLongDate(of.first)}`}
              onOpen={() => show('due', of.state)}
            >
              {of.overdue > 0 && (
                <Tag tone="error" icon>
                  {formatCount(of.overdue)} overdue
                </Tag>
              )}
              {of.soon > 0 && (
                <Tag tone="warn" icon>
                  {formatCount(of.soon)} this week
                </Tag>
              )}
            </TodayLine>
          ))}
        </TodayCard>
        <TodayCard title="Waiting for your decision" count={today.to_decide_total} view="batches" all="All batches">
          {today.to_decide.map((batch) => (
            <TodayLine key={batch.id} what={batch.name} detail={batch.trouble} onOpen={() => openBatch(batch.id)}>
              <Tag tone="warn" icon>
                decide
              </Tag>
            </TodayLine>
          ))}
        </TodayCard>
        <TodayCard title="Documents refused" count={today.refused_uploads} view="documents" all="All documents">
          <TodayLine
            what={pluralize(today.refused_uploads, 'document')}
            detail="refused by the service: see why, and send again or remove"
            onOpen={() => openDocuments('')}
          />
        </TodayCard>
        <TodayCard title="Rows to correct" count={today.to_correct_total} view="batches" all="All batches">
          {today.to_correct.map((batch) => (
            <TodayLine
              key={batch.id}
              what={batch.name}
              detail={formatWhen(batch.created_at, today.today)}
              onOpen={() => startReview({ kind: 'batch', batch: batch.id })}
            >
              <Tag tone="warn" icon>
                {pluralize(batch.to_correct, 'row')} to correct
              </Tag>
              {batch.open_warnings > 0 && <WarningsTag batch={batch} />}
            </TodayLine>
          ))}
        </TodayCard>
        <TodayCard title="Accepted with warnings" count={today.with_warnings_total} view="batches" all="All batches">
          {today.with_warnings.map((batch) => (
            <TodayLine
              key={batch.id}
              what={batch.name}
              detail={formatWhen(batch.created_at, today.today)}
              onOpen={() => openBatch(batch.id)}
            >
              <WarningsTag batch={batch} />
            </TodayLine>
          ))}
        </TodayCard>
        <TodayCard title="Documents missing" count={today.missing_total} view="documents" all="All documents">
          {today.missing.map((entry) => (
            <TodayLine
              key={entry.transaction_id}
              what={`${entry.state} ${entry.policy_number || `Transaction ${entry.transaction_id}`}`}
              detail={`${entry.insured}: ${[...entry.required, ...entry.asked].map((each) => each.name).join(', ')}`}
              onOpen={() => openDocuments(entry.transaction_id)}
            >
              {entry.required.length === 0 ? (
                <Tag tone="neutral">requested</Tag>
              ) : (
                entry.due !== null && (
                  <Tag tone={entry.due < today.today ? 'error' : 'neutral'}>file by {formatLongDate(entry.due)}</Tag>
                )
              )}
            </TodayLine>
          ))}
        </TodayCard>
        <TodayCard title="Unread events" count={today.events_total} view="events" all="All events">
          {today.events.map((event) => (
            <TodayLine
              key={event.id}
              what={event.title}
              detail={formatWhen(event.at, today.today)}
              onOpen={() => openEvent(event.id)}
            />
          ))}
        </TodayCard>
        <TodayCard title="Being sent" count={sending} view="batches" all="All batches">
          {today.sending.map((batch) => (
            <SendingLine key={batch.id} batch={batch} onOpen={() => openBatch(batch.id)} />
          ))}
          {today.uploads > 0 && (
            <TodayLine
              what={pluralize(today.uploads, 'document')}
              detail="being uploaded"
              onOpen={() => openDocuments('')}
            />
          )}
        </TodayCard>
        <TodayCard title="Files being prepared" count={today.drafts_total} view="batches" all="All batches">
          {today.drafts.map((draft) => (
            <TodayLine
              key={draft.id}
              what={draft.name}
              detail={`${pluralize(draft.rows, 'row')}, ${formatWhen(draft.stored_at, today.today)}`}
              onOpen={() => openDraft(draft.id)}
            >
              {draft.errors > 0 && <Tag tone="error">{pluralize(draft.errors, 'row')} with errors</Tag>}
            </TodayLine>
          ))}
        </TodayCard>
        <TodayCard title="Quotes of the last 7 days" count={today.quotes_total} view="saved" all="All quotes">
          {today.quotes.map((quote) => (
            <TodayLine
              key={quote.id}
              what={quote.name}
              detail={formatWhen(quote.at, today.today)}
              onOpen={() => openQuote(quote.id)}
            >
              {quote.total !== null && <Amount value={quote.total} standalone />}
            </TodayLine>
          ))}
        </TodayCard>
      </div>
    </>
  );
}

/** Rows that the service took: nothing has to be done. */
function WarningsTag({ batch }: { batch: BatchView }) {
  return <Tag tone="neutral">{formatCount(batch.open_warnings)} accepted with warnings</Tag>;
}

/** What is assigned to the person at this desk. */
function OwnWorkCard({ work }: { work: OwnWork }) {
  const openList = useOpenList();
  const lines: { count: number; what: string; detail: string; view: ViewName }[] = [
    { count: work.drafts, what: pluralize(work.drafts, 'file'), detail: 'being prepared', view: 'batches' },
    {
      count: work.batches,
      what: pluralize(work.batches, 'batch', 'batches'),
      detail: 'to correct or decide',
      view: 'batches',
    },
    { count: work.due_dates, what: pluralize(work.due_dates, 'due date'), detail: 'open', view: 'due' },
    { count: work.events, what: pluralize(work.events, 'event'), detail: 'unread', view: 'events' },
  ];
  const shown = lines.filter(({ count }) => count > 0);
  const all = shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <TodayCard title="Assigned to you" count={all} view="batches" all="All batches">
      {shown.map(({ what, detail, view }) => (
        <TodayLine key={detail} what={what} detail={detail} onOpen={() => openList(view)} />
      ))}
    </TodayCard>
  );
}

function SendingLine({ batch, onOpen }: { batch: BatchView; onOpen(): void }) {
  const { total, pending } = batch.counts;
  return (
    <TodayLine
      what={batch.name}
      detail={`${formatCount(total - pending)} of ${formatCount(total)} done`}
      onOpen={onOpen}
    >
      <WordTag of={batchStateLabel(batch)} />
    </TodayLine>
  );
}

interface CardProps {
  title: string;
  count: number;
  /** The view that has all of them, and what the way there is called. */
  view: ViewName;
  all: string;
  children: ReactNode;
}

/** Opens the list of a view, not what was open there last. */
function useOpenList(): (view: ViewName) => void {
  const { go } = useNavigation();
  const { goTo } = useBatchPlace();
  const { openDocuments } = useDocumentPlace();
  return (view) => {
    if (view === 'documents') return openDocuments('');
    if (view === 'batches') goTo({ at: 'list' });
    return go(view);
  };
}

/** One kind of work; without any it isn't shown. */
function TodayCard({ title, count, view, all, children }: CardProps) {
  const openList = useOpenList();
  if (count === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <div className="split">
        <h2>
          {title} <span className="quiet-text">{formatCount(count)}</span>
        </h2>
        <Button small look="quiet" onClick={() => openList(view)}>
          {all}
        </Button>
      </div>
      <ul>{children}</ul>
    </section>
  );
}

interface LineProps {
  what: string;
  detail: string;
  onOpen(): void;
  children?: ReactNode;
}

function TodayLine({ what, detail, onOpen, children }: LineProps) {
  return (
    <li>
      <button type="button" className="split today-line" onClick={onOpen} onKeyDown={moveBetweenLines}>
        <span className="cut" title={`${what}, ${detail}`}>
          <b>{what}</b>
          <span className="only-read">,</span> <span className="quiet-text">{detail}</span>
        </span>
        {children && <span className="only-read">, </span>}
        <span className="in-line no-wrap">{children}</span>
      </button>
    </li>
  );
}
