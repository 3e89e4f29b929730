import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { BatchView, RowCause, RowState } from '../../../bindings/operations';
import { Button, ErrorBox, Evidence, ViewTitle, WordTag } from '../../../components';
import { useOperationAction, useOperationQuery, useToasts } from '../../../operations';
import { formatCount, formatMoney, formatWhen, pluralize } from '../../../values';
import { DRAFT_QUERIES, useBatchPlace } from '../../../workbench/batchPlace';
import { isInProgress } from '../../../workbench/batchState';
import { useWorkbench } from '../../../workbench/Workbench';
import { useBatch } from '../useBatchQueries';
import { useImportFields } from '../bordereauFields';
import { Chips } from '../Chips';
import { BatchSteps } from '../ReviewHeader';
import { describePace, describeProfile, ROW_CHIPS, batchStateLabel } from '../batchLabels';
import { BatchRows, describeMessage, MessageIcon } from './BatchRows';
import { LostAnswerDecision } from './LostAnswerDecision';
import { useFileSave } from '../../../operations/useOperation';

/** What became of a batch: each of its rows, and the way to correct those that need it. */
export function BatchDetail({ id }: { id: string }) {
  const { data: batch, error, refetch } = useBatch(id);
  const { goTo, startReview, isStarting } = useBatchPlace();
  const { showToast } = useToasts();
  const [shown, setShown] = useState<ShownRows>(ALL_ROWS);
  const canceling = useOperationAction('batch_cancel', ['batch_list', 'batch_show', 'outbox_status', ...DRAFT_QUERIES]);
  const saving = useFileSave('rejects_save');
  const wrong = batch?.to_correct ?? 0;
  const warned = batch?.open_warnings ?? 0;
  const ended = batch ? !isInProgress(batch.state) : false;
  const open = batch ? correctionBlockReason(batch, wrong + warned) : '';
  const correct = () => {
    if (open !== '') showToast(open);
    else if (!isStarting) startReview({ kind: 'batch', batch: id });
  };
  const save = (withWarnings: boolean) => saving.save({ id, format: 'xlsx', with_warnings: withWarnings });
  const rejects = () => {
    if (open !== '') return showToast(open);
    return save(wrong === 0);
  };
  const cancel = () => canceling.mutate({ id });
  const showDraft = (draft: string | null) => draft !== null && goTo({ at: 'review', id: draft });
  const group = 'Batches';
  useActions([
    { id: 'batch.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: () => goTo({ at: 'list' }) },
    // Always: a key pressed too early says why nothing happens yet.
    { id: 'batch.correct', title: 'Correct rows', group, keys: 'Mod+E', run: correct },
    { id: 'batch.rejects', title: 'Save rejected rows as XLSX', group, run: rejects },
    ...(ended && warned > 0
      ? [{ id: 'batch.warned', title: 'Save rows with warnings too as XLSX', group, run: () => save(true) }]
      : []),
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
        {batch.draft !== null && <Button onClick={() => showDraft(batch.draft)}>Open draft</Button>}
        <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>
      </header>
      <RowStateChips batch={batch} shown={shown} onShow={setShown} />
      {ended && <RowCauses batch={batch} shown={shown} onShow={setShown} />}
      <div className="column batch-work">
        <BatchProgress batch={batch} />
        <BatchRows batch={batch} {...shown} />
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
        {ended && wrong > 0 && warned > 0 && <span>{formatCount(warned)} accepted with warnings</span>}
        <span className="spring" />
        {batch.can_cancel && <Button onClick={cancel}>Cancel</Button>}
        <Button disabledReason={open} onClick={rejects}>
          {wrong === 0 && warned > 0 ? 'Save rows with warnings' : 'Save rejected rows'}
        </Button>
        <Button look="primary" keys="Mod+E" disabledReason={open} onClick={correct}>
          {correctLabel(wrong, warned)}
        </Button>
      </div>
    </>
  );
}

function correctLabel(wrong: number, warned: number): string {
  if (wrong > 0) return `Correct ${pluralize(wrong, 'row')}`;
  return warned > 0 ? `Correct ${pluralize(warned, 'row')} with warnings` : 'Correct rows';
}

/** Why its rows cannot be corrected now; empty when they can. */
function correctionBlockReason(batch: BatchView, open: number): string {
  const { total, pending } = batch.counts;
  if (isInProgress(batch.state))
    return `This batch is ${batchStateLabel(batch).word}: ${formatCount(total - pending)} of ${formatCount(total)} rows are done. You can correct rows when it’s finished.`;
  return open === 0 ? 'No rows in this batch need correction.' : '';
}

function BatchNote({ batch }: { batch: BatchView }) {
  const { reference } = useWorkbench();
  return (
    <span className="quiet-text">
      Sent {formatWhen(batch.created_at, reference.today)} by {batch.by}, {describeProfile(batch)}
    </span>
  );
}

interface ShownRows {
  state: RowState | null;
  cause: string;
}

const ALL_ROWS: ShownRows = { state: null, cause: '' };

interface ChipsProps {
  batch: BatchView;
  shown: ShownRows;
  onShow(shown: ShownRows): void;
}

function RowStateChips({ batch, shown, onShow }: ChipsProps) {
  const states = ROW_CHIPS.filter((chip) => batch.counts[chip.state] > 0);
  return (
    <div className="in-line chips">
      <Chips
        label="Rows shown"
        chosen={shown.cause === '' ? shown.state : undefined}
        onChoose={(state) => onShow({ state, cause: '' })}
        chips={[
          { key: null, word: 'All', count: batch.counts.total },
          ...states.map(({ state, word }) => ({ key: state, word, count: batch.counts[state] })),
        ]}
      />
      <span className="spring" />
      {batch.batch_ids.length > 0 && (
        <span className="quiet-text" title={batch.batch_ids.join(', ')}>
          {batch.batch_ids.length === 1 ? `Batch ID ${batch.batch_ids[0]}` : `${batch.batch_ids.length} parts`}
        </span>
      )}
    </div>
  );
}

const CAUSES_SHOWN = 5;

/** What the service said, grouped; a cause that is pressed again shows all rows. */
function RowCauses({ batch, shown, onShow }: ChipsProps) {
  const causes = useOperationQuery('batch_causes', { id: batch.id }).data?.causes ?? [];
  const { find, nameFields } = useImportFields();
  const [showsAll, setShowsAll] = useState(false);
  const word = (cause: RowCause) =>
    nameFields(describeMessage(cause, find(cause.field).title)) ||
    `${find(cause.field).title} differs from the calculated amount`;
  if (causes.length === 0) return null;
  return (
    <div className="in-line chips causes">
      <Chips
        label="Causes"
        chosen={shown.cause}
        onChoose={(cause) => onShow({ state: null, cause: cause === shown.cause ? '' : cause })}
        chips={causes.slice(0, showsAll ? causes.length : CAUSES_SHOWN).map((cause) => ({
          key: cause.key,
          word: word(cause),
          count: cause.rows,
          sign: <MessageIcon severity={cause.severity} />,
        }))}
      />
      {causes.length > CAUSES_SHOWN && (
        <Button small look="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Fewer causes' : `${causes.length - CAUSES_SHOWN} more`}
        </Button>
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
