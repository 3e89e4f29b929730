import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { BatchView, RowState } from '../../../bindings/operations';
import { Button, ErrorBox, Evidence, ViewTitle, WordTag } from '../../../components';
import { useOperationAction, useToasts } from '../../../operations';
import { formatCount, formatMoney, formatWhen, pluralize } from '../../../values';
import { DRAFT_QUERIES, useBatchPlace } from '../../../workbench/batchPlace';
import { useWorkbench } from '../../../workbench/Workbench';
import { useBatch } from '../useBatchQueries';
import { BatchSteps } from '../ReviewHeader';
import { isInProgress, describePace, describeProfile, ROW_CHIPS, batchStateLabel } from '../batchLabels';
import { BatchRows } from './BatchRows';
import { LostAnswerDecision } from './LostAnswerDecision';
import { useFileSave } from '../../../operations/useOperation';

/** What became of a batch: each of its rows, and the way to correct those that need it. */
export function BatchDetail({ id }: { id: string }) {
  const { data: batch, error, refetch } = useBatch(id);
  const { goTo, startReview, isStarting } = useBatchPlace();
  const { showToast } = useToasts();
  const [state, setState] = useState<RowState | null>(null);
  const canceling = useOperationAction('batch_cancel', ['batch_list', 'batch_show', 'outbox_status', ...DRAFT_QUERIES]);
  const saving = useFileSave('rejects_save');
  const wrong = batch?.to_correct ?? 0;
  const ended = batch ? !isInProgress(batch.state) : false;
  const open = batch ? correctionBlockReason(batch, wrong) : '';
  const correct = () => {
    if (open !== '') showToast(open);
    else if (!isStarting) startReview({ kind: 'batch', batch: id });
  };
  const rejects = () => {
    if (open !== '') return showToast(open);
    return saving.save({ id, format: 'xlsx' });
  };
  const cancel = () => canceling.mutate({ id });
  const group = 'Batches';
  useActions([
    { id: 'batch.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: () => goTo({ at: 'list' }) },
    // Always: a key pressed too early says why nothing happens yet.
    { id: 'batch.correct', title: 'Correct rows', group, keys: 'Mod+E', run: correct },
    { id: 'batch.rejects', title: 'Save rejected rows as XLSX', group, run: rejects },
    ...(batch?.can_cancel ? [{ id: 'batch.cancel', title: 'Cancel this batch', group, run: cancel }] : []),
  ]);
  if (!batch)
    return (
      <div className="empty">
        {error && <ErrorBox error={error} onRetry={refetch} />}
        {error && <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>}
      </div>
    );
  return (
    <>
      <header className="head" data-part>
        <ViewTitle className="cut">{batch.name}</ViewTitle>
        <BatchNote batch={batch} />
        <span className="spring" />
        <BatchSteps step={ended ? 'Results' : 'Send'} />
        <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>
      </header>
      <RowStateChips batch={batch} state={state} onState={setState} />
      <div className="column batch-work">
        <BatchProgress batch={batch} />
        <BatchRows batch={batch} state={state} />
      </div>
      <div className="totals" data-part>
        <span>
          Transactions <b>{formatCount(batch.counts.total)}</b>
        </span>
        <span>
          Premium <b>{formatMoney(batch.totals.premium || '0')}</b>
        </span>
        <span>
          Taxes sent <b>{formatMoney(batch.totals.taxes || '0')}</b>
        </span>
        <span className="spring" />
        {batch.can_cancel && <Button onClick={cancel}>Cancel</Button>}
        <Button disabledReason={open} onClick={rejects}>
          {batch.counts.error + batch.counts.saved_incomplete + batch.counts.not_sent > 0 || wrong === 0
            ? 'Save rejected rows'
            : 'Save rows with warnings'}
        </Button>
        <Button look="primary" keys="Mod+E" disabledReason={open} onClick={correct}>
          {correctLabel(wrong)}
        </Button>
      </div>
    </>
  );
}

function correctLabel(wrong: number): string {
  if (wrong === 0) return 'Correct rows';
  return `Correct ${pluralize(wrong, 'row')}`;
}

/** Why its rows cannot be corrected now; empty when they can. */
function correctionBlockReason(batch: BatchView, wrong: number): string {
  const { total, pending } = batch.counts;
  if (isInProgress(batch.state))
    return `This batch is ${batchStateLabel(batch).word}: ${formatCount(total - pending)} of ${formatCount(total)} rows are done. You can correct rows when it’s finished.`;
  return wrong === 0 ? 'No rows in this batch need correction.' : '';
}

function BatchNote({ batch }: { batch: BatchView }) {
  const { reference } = useWorkbench();
  return (
    <span className="quiet-text">
      Sent {formatWhen(batch.created_at, reference.today)} by {batch.by}, {describeProfile(batch)}
      {batch.corrects && ', correction'}
    </span>
  );
}

interface ChipsProps {
  batch: BatchView;
  state: RowState | null;
  onState(state: RowState | null): void;
}

function RowStateChips({ batch, state, onState }: ChipsProps) {
  const chips = [{ state: null, word: 'All' }, ...ROW_CHIPS.filter((chip) => batch.counts[chip.state] > 0)];
  return (
    <div className="in-line chips">
      <div className="buttons" role="group" aria-label="Rows shown">
        {chips.map((chip) => (
          <button
            key={chip.word}
            type="button"
            className="chip"
            aria-pressed={state === chip.state}
            onClick={() => onState(chip.state)}
          >
            {chip.word} <b>{formatCount(chip.state === null ? batch.counts.total : batch.counts[chip.state])}</b>
          </button>
        ))}
      </div>
      <span className="spring" />
      {batch.batch_ids.length > 0 && (
        <span className="quiet-text" title={batch.batch_ids.join(', ')}>
          {batch.batch_ids.length === 1 ? `Batch ID ${batch.batch_ids[0]}` : `${batch.batch_ids.length} parts`}
        </span>
      )}
    </div>
  );
}

function BatchProgress({ batch }: { batch: BatchView }) {
  const word = batchStateLabel(batch);
  const { total, pending } = batch.counts;
  return (
    <div className="bar batch-progress" data-state={batch.state}>
      <WordTag of={word} />
      {isInProgress(batch.state) && (
        <>
          {!batch.asks && <progress max={Math.max(total, 1)} value={total - pending} aria-label="Rows done" />}
          <span>
            {formatCount(total - pending)} of {formatCount(total)} done
          </span>
          <span className="quiet-text">{describePace(batch)}</span>
        </>
      )}
      {batch.trouble !== '' && <span className={batch.asks ? 'asked' : 'trouble'}>{batch.trouble}</span>}
      <Evidence about={batch.name} evidence={batch.evidence} />
      {batch.state === 'unknown' && <LostAnswerDecision batch={batch} />}
    </div>
  );
}
