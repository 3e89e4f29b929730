import { useEffect, useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { BatchView, ReviewSummary } from '../../../bindings/operations';
import {
  Button,
  CloseButton,
  ConfirmDialog,
  ErrorBox,
  Icon,
  TableCard,
  Tag,
  ViewHeader,
  WordTag,
} from '../../../components';
import { SearchField } from '../../../components/SearchField';
import { useOperationAction } from '../../../operations';
import { formatCount, formatWhen, matchScore } from '../../../values';
import { AssignedPerson, AssignmentFilter, isAssignedTo, useOfficePeople } from '../../../workbench/Assignment';
import { BLANK_TRANSACTION, DRAFT_QUERIES, useBatchPlace } from '../../../workbench/batchPlace';
import { isInProgress } from '../../../workbench/batchState';
import { useWorkbench } from '../../../workbench/Workbench';
import { useBatchList, useReviewList } from '../useBatchQueries';
import { describePace, describeProfile, batchStateLabel } from '../batchLabels';
import { AuditLogDialog } from './AuditLogDialog';
import { BatchLookupDialog } from './BatchLookupDialog';
import { MappingsDialog } from './MappingsDialog';
import { PasteRowsDialog } from './PasteRowsDialog';
import { WatchedFolder } from './WatchedFolder';

/** What is being prepared, what was sent, and where to begin. */
export function BatchList() {
  const { startReview, isStarting } = useBatchPlace();
  const [panel, setPanel] = useState<'paste' | 'audit' | 'look up' | 'mappings' | null>(null);
  const [discarding, setDiscarding] = useState<ReviewSummary | null>(null);
  const drafts = useReviewList();
  const batches = useBatchList();
  const waiting = isStarting && 'Working…';
  const open = () => startReview({ kind: 'dialog' });
  const sample = () => startReview({ kind: 'sample' });
  const enter = () => startReview({ kind: 'transaction', ...BLANK_TRANSACTION });
  const group = 'Batches';
  const own = { group, ignoredInFields: true };
  useActions([
    { id: 'batches.open', title: 'Open spreadsheet', group, keys: 'Mod+O', run: open },
    { ...own, id: 'batches.paste', title: 'Paste rows', keys: 'Mod+V', run: () => setPanel('paste') },
    { id: 'batches.new', title: 'New transaction', group, keys: 'Mod+N', run: enter },
    { id: 'batches.look', title: 'Look up a batch by its number', group, run: () => setPanel('look up') },
    { id: 'batches.sample', title: 'Try a sample', group, run: sample },
    { id: 'batches.mappings', title: 'Mappings', group, run: () => setPanel('mappings') },
    { id: 'batches.audit', title: 'Audit log', group, run: () => setPanel('audit') },
  ]);
  usePastedText((text) => {
    setPanel(null);
    startReview({ kind: 'pasted', text });
  });
  const [whose, setWhose] = useState<string | null>(null);
  const [text, setText] = useState('');
  const isFound = (name: string, numbers: string[]) => matchScore(text, [name, ...numbers].join(' ')) !== null;
  const hasPeople = useOfficePeople() !== null;
  const all = { reviews: drafts.data?.reviews ?? [], sent: batches.data?.batches ?? [] };
  const reviews = all.reviews.filter((draft) => isAssignedTo(draft.assigned, whose) && isFound(draft.name, []));
  const sent = all.sent.filter((batch) => isAssignedTo(batch.assigned, whose) && isFound(batch.name, batch.batch_ids));
  const none = drafts.data && batches.data && all.reviews.length + all.sent.length === 0;
  const error = drafts.error ?? batches.error;
  return (
    <>
      <ViewHeader title="Batches" note={all.sent.length > 0 ? `${formatCount(all.sent.length)} sent` : ''}>
        <Button onClick={() => setPanel('mappings')}>Mappings</Button>
        <Button onClick={() => setPanel('look up')}>Look up batch…</Button>
        <Button onClick={() => setPanel('audit')}>Audit log</Button>
        <Button keys="Mod+N" disabledReason={waiting} onClick={enter}>
          New transaction
        </Button>
      </ViewHeader>
      <div className="view-body lists scrolls">
        {error && <ErrorBox error={error} onRetry={() => Promise.all([drafts.refetch(), batches.refetch()])} />}
        <div className={`card drop-zone ${none ? 'large' : ''}`}>
          <Icon name="download" />
          <div>
            <strong>Drop a spreadsheet anywhere in this window</strong>
            <p>
              CSV, XLSX, XLS, or ODS as your agency system exports it, with columns in any order; several files become
              one batch. Nothing is sent until you review it.
            </p>
          </div>
          <div className="buttons">
            <Button look="primary" keys="Mod+O" disabledReason={waiting} onClick={open}>
              Open file
            </Button>
            <Button keys="Mod+V" onClick={() => setPanel('paste')}>
              Paste
            </Button>
            <Button disabledReason={waiting} onClick={sample}>
              Try a sample
            </Button>
          </div>
        </div>
        <WatchedFolder />
        {none === false && (
          <div className="buttons at-end">
            <SearchField
              title="Search drafts and batches"
              group={group}
              placeholder="File or batch number"
              value={text}
              onChange={setText}
              className="narrow"
            />
            {hasPeople && <AssignmentFilter value={whose} onChange={setWhose} />}
          </div>
        )}
        {none === false && reviews.length + sent.length === 0 && (
          <p className="quiet-text">No draft or batch matches.</p>
        )}
        {reviews.length > 0 && <DraftTable reviews={reviews} onDiscard={setDiscarding} />}
        {sent.length > 0 && <SentTable batches={sent} />}
      </div>
      {panel === 'paste' && <PasteRowsDialog onClose={() => setPanel(null)} />}
      {panel === 'look up' && <BatchLookupDialog onClose={() => setPanel(null)} />}
      {panel === 'mappings' && <MappingsDialog onClose={() => setPanel(null)} />}
      {panel === 'audit' && <AuditLogDialog onClose={() => setPanel(null)} />}
      {discarding && (
        <ConfirmDialog
          title="Discard this draft?"
          keep="Keep draft"
          act="Discard"
          operation="review_close"
          request={{ id: discarding.id }}
          refresh={['review_list']}
          done={`Discarded ${discarding.name}.`}
          onClose={() => setDiscarding(null)}
        >
          {discarding.rows > 1
            ? `Your corrections in “${discarding.name}” will be lost. The original file isn’t changed, and nothing changes at the service.`
            : `What you entered for the transaction “${discarding.name}” will be lost. Nothing changes at the service.`}
        </ConfirmDialog>
      )}
    </>
  );
}

function DraftState({ draft }: { draft: ReviewSummary }) {
  if (draft.excluded) return <Tag tone="neutral">all rows excluded</Tag>;
  return draft.errors > 0 ? <Tag tone="error">{formatCount(draft.errors)}</Tag> : <Tag tone="ok">none</Tag>;
}

/** Cells pasted on the list without opening the dialog first, where the web view hands them over. */
function usePastedText(take: (text: string) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const target = event.target;
      if (target instanceof HTMLElement && target.matches('input, textarea')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() === '') return;
      event.preventDefault();
      take(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  });
}

const ACTIONS = { hidden: 'Actions' };
const ASSIGNED = 'Assigned to';

function DraftTable({ reviews, onDiscard }: { reviews: ReviewSummary[]; onDiscard(draft: ReviewSummary): void }) {
  const { goTo } = useBatchPlace();
  const { reference } = useWorkbench();
  const hasPeople = useOfficePeople() !== null;
  return (
    <TableCard
      title="Drafts"
      label="Drafts"
      columns={['File', { num: 'Rows', width: '8rem' }, 'Errors', 'Saved', hasPeople && ASSIGNED, ACTIONS]}
    >
      {reviews.map((draft) => (
        <tr key={draft.id}>
          <td>
            <button type="button" className="link-button" onClick={() => goTo({ at: 'review', id: draft.id })}>
              {draft.name}
            </button>
          </td>
          <td className="num">{formatCount(draft.rows)}</td>
          <td>
            <DraftState draft={draft} />
          </td>
          <td className="quiet-text">{formatWhen(draft.stored_at, reference.today)}</td>
          {hasPeople && (
            <td>
              <AssignedPerson kind="draft" id={draft.id} name={draft.name} assigned={draft.assigned} />
            </td>
          )}
          <td className="row-actions">
            <Button small aria-label={`Continue ${draft.name}`} onClick={() => goTo({ at: 'review', id: draft.id })}>
              Continue
            </Button>
            <CloseButton label={`Discard ${draft.name}`} onClick={() => onDiscard(draft)} />
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

function SentTable({ batches }: { batches: BatchView[] }) {
  const hasPeople = useOfficePeople() !== null;
  return (
    <TableCard
      title="Sent"
      label="Sent"
      columns={['Batch', 'Status', 'Transactions', 'To correct', 'Sent', 'Profile', hasPeople && ASSIGNED, ACTIONS]}
    >
      {batches.map((batch) => (
        <SentRow key={batch.id} batch={batch} hasPeople={hasPeople} />
      ))}
    </TableCard>
  );
}

function SentRow({ batch, hasPeople }: { batch: BatchView; hasPeople: boolean }) {
  const { goTo, startReview } = useBatchPlace();
  const { reference } = useWorkbench();
  const canceling = useOperationAction('batch_cancel', ['batch_list', 'outbox_status', ...DRAFT_QUERIES]);
  const state = batchStateLabel(batch);
  const { total, pending } = batch.counts;
  const wrong = batch.to_correct;
  const hasEnded = !isInProgress(batch.state);
  return (
    <tr>
      <td>
        <button type="button" className="link-button" onClick={() => goTo({ at: 'batch', id: batch.id })}>
          {batch.name}
        </button>
        {batch.is_single && <span className="quiet-text"> by hand</span>}
      </td>
      <td>
        <WordTag of={state} />
      </td>
      <td>
        {isInProgress(batch.state) ? (
          <span className="buttons">
            <progress max={Math.max(total, 1)} value={total - pending} aria-label={`Progress of ${batch.name}`} />
            {formatCount(total - pending)} of {formatCount(total)}
            {describePace(batch) && <span className="quiet-text">{describePace(batch)}</span>}
          </span>
        ) : (
          formatCount(total)
        )}
      </td>
      <td>
        {wrong > 0 && hasEnded && <Tag tone="warn">{formatCount(wrong)}</Tag>}{' '}
        {batch.open_warnings > 0 && hasEnded && (
          <span className="quiet-text">{formatCount(batch.open_warnings)} accepted with warnings</span>
        )}
      </td>
      <td className="quiet-text">
        {formatWhen(batch.created_at, reference.today)}, {batch.by}
      </td>
      <td className="quiet-text">{describeProfile(batch)}</td>
      {hasPeople && (
        <td>
          <AssignedPerson kind="batch" id={batch.id} name={batch.name} assigned={batch.assigned} />
        </td>
      )}
      <td className="row-actions">
        {batch.can_cancel && (
          <Button small aria-label={`Cancel ${batch.name}`} onClick={() => canceling.mutate({ id: batch.id })}>
            Cancel
          </Button>
        )}
        {wrong > 0 && hasEnded && (
          <Button
            small
            aria-label={`Correct ${batch.name}`}
            onClick={() => startReview({ kind: 'batch', batch: batch.id })}
          >
            Correct
          </Button>
        )}
      </td>
    </tr>
  );
}
