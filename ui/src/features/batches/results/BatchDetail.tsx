import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { BatchView, RowState } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Problem } from '../../../components/ErrorBox';
import { Tag } from '../../../components/Tag';
import { ViewTitle } from '../../../components/ViewTitle';
import { ENVIRONMENT_WORDS } from '../../../components/labels';
import { useNotices } from '../../../operations/toasts';
import { useDo } from '../../../operations/useOperation';
import { showAmount } from '../../../values/amount';
import { whenOf } from '../../../values/date';
import { useBatches } from '../../../workbench/batchPlace';
import { useWorkbench } from '../../../workbench/Workbench';
import { useBatch } from '../useBatchQueries';
import { Steps } from '../ReviewHeader';
import { isOpen, pace, ROW_CHIPS, wordOf } from '../batchLabels';
import { BatchRows } from './BatchRows';
import { Decision } from './LostAnswerDecision';

const COUNT = new Intl.NumberFormat('en-US');

/** What became of a batch: each of its rows, and the way to correct those that need it. */
export function BatchDetail({ id }: { id: string }) {
  const { data: batch, error, refetch } = useBatch(id);
  const { goTo, start, starting } = useBatches();
  const { tell, fail } = useNotices();
  const [state, setState] = useState<RowState | null>(null);
  const cancelling = useDo('batch_cancel', ['batch_list', 'batch_show', 'outbox_status']);
  const saving = useDo('rejects_save');
  const wrong = batch?.to_correct ?? 0;
  const ended = batch ? !isOpen(batch.state) : false;
  const open = batch ? notYet(batch, wrong) : '';
  const correct = () => {
    if (open !== '') tell(open);
    else if (!starting) start({ kind: 'batch', batch: id });
  };
  const rejects = () => {
    if (open !== '') return tell(open);
    return saving.mutate(
      { id, format: 'xlsx' },
      { onSuccess: (file) => file.saved && tell(`Saved ${file.file_name}.`), onError: fail },
    );
  };
  const cancel = () => cancelling.mutate({ id }, { onError: fail });
  const group = 'Batches';
  useActions([
    { id: 'batch.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: () => goTo({ at: 'list' }) },
    // Always: a key pressed too early says why nothing happens yet.
    { id: 'batch.correct', title: 'Correct these rows', group, keys: 'Mod+E', run: correct },
    { id: 'batch.rejects', title: 'Save rejected rows as XLSX', group, run: rejects },
    ...(batch?.can_cancel ? [{ id: 'batch.cancel', title: 'Cancel this batch', group, run: cancel }] : []),
  ]);
  if (!batch)
    return (
      <div className="empty">
        {error && <Problem error={error} onRemedy={() => void refetch()} />}
        {error && <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>}
      </div>
    );
  return (
    <>
      <header className="head" data-part>
        <ViewTitle className="file-name">{batch.name}</ViewTitle>
        <Note batch={batch} />
        <span className="spring" />
        <Steps step={ended ? 'Results' : 'Send'} />
        <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>
      </header>
      <Chips batch={batch} state={state} onState={setState} />
      <div className="batch-work">
        <Progress batch={batch} />
        <BatchRows batch={batch} state={state} />
      </div>
      <div className="totals" data-part>
        <span>
          Transactions <b>{COUNT.format(batch.counts.total)}</b>
        </span>
        <span>
          Premium <b>{showAmount(batch.totals.premium || '0')}</b>
        </span>
        <span>
          Taxes <b>{showAmount(batch.totals.taxes || '0')}</b>
        </span>
        <span className="spring" />
        {batch.can_cancel && <Button onClick={cancel}>Cancel</Button>}
        <Button off={open} onClick={rejects}>
          Save rejected rows
        </Button>
        <Button look="primary" keys="Mod+E" off={open} onClick={correct}>
          {correctWords(wrong)}
        </Button>
      </div>
    </>
  );
}

function correctWords(wrong: number): string {
  if (wrong === 0) return 'Correct rows';
  return wrong === 1 ? 'Correct this row' : `Correct these ${COUNT.format(wrong)} rows`;
}

/** Why its rows cannot be corrected now; empty when they can. */
function notYet(batch: BatchView, wrong: number): string {
  const { total, pending } = batch.counts;
  if (isOpen(batch.state))
    return `This batch is ${wordOf(batch).word}: ${COUNT.format(total - pending)} of ${COUNT.format(total)} rows are answered. Rows can be corrected when it has ended.`;
  return wrong === 0 ? 'No row of this batch has to be corrected.' : '';
}

function Note({ batch }: { batch: BatchView }) {
  const { reference } = useWorkbench();
  return (
    <span className="quiet-text">
      {whenOf(batch.created_at, reference.today)} by {batch.by}, {batch.profile} ({ENVIRONMENT_WORDS[batch.environment]}
      ){batch.corrects && ', correction'}
    </span>
  );
}

interface ChipsProps {
  batch: BatchView;
  state: RowState | null;
  onState(state: RowState | null): void;
}

function Chips({ batch, state, onState }: ChipsProps) {
  const chips = [{ state: null, word: 'All' }, ...ROW_CHIPS.filter((chip) => batch.counts[chip.state] > 0)];
  return (
    <div className="chips">
      <div role="group" aria-label="Rows shown">
        {chips.map((chip) => (
          <button
            key={chip.word}
            type="button"
            className="chip"
            aria-pressed={state === chip.state}
            onClick={() => onState(chip.state)}
          >
            {chip.word} <b>{COUNT.format(chip.state === null ? batch.counts.total : batch.counts[chip.state])}</b>
          </button>
        ))}
      </div>
      <span className="spring" />
      {batch.batch_ids.length > 0 && (
        <span className="quiet-text" title={batch.batch_ids.join(', ')}>
          {batch.batch_ids.length === 1 ? `Batch id ${batch.batch_ids[0]}` : `${batch.batch_ids.length} parts`}
        </span>
      )}
    </div>
  );
}

function Progress({ batch }: { batch: BatchView }) {
  const word = wordOf(batch);
  const { total, pending } = batch.counts;
  return (
    <div className="batch-progress" data-state={batch.state}>
      <Tag tone={word.tone} {...(word.icon ? { icon: word.icon } : {})}>
        {word.word}
      </Tag>
      {isOpen(batch.state) && (
        <>
          {!batch.asks && <progress max={Math.max(total, 1)} value={total - pending} aria-label="Answered so far" />}
          <span>
            {COUNT.format(total - pending)} of {COUNT.format(total)} answered
          </span>
          <span className="quiet-text">{pace(batch)}</span>
        </>
      )}
      {batch.trouble !== '' && <span className={batch.asks ? 'asked' : 'trouble'}>{batch.trouble}</span>}
      {batch.state === 'unknown' && <Decision batch={batch} />}
    </div>
  );
}
