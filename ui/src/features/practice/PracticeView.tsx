import './practice.css';

import { useState } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import type { PracticeAct, PracticeFault, PracticeState } from '../../bindings/operations';
import { Button, Checkbox, Field, Icon, QueryError, SelectField, ViewHeader } from '../../components';
import { findActiveProfile, useOperationAction, useOperationQuery, useProfiles, useToasts } from '../../operations';
import { useNavigation } from '../../workbench/navigation';
import { FindTransactionButton } from '../../workbench/FindTransactionButton';
import { useWorkbench } from '../../workbench/Workbench';
import { PracticeAccount, PracticeKeyDialog } from './PracticeAccount';
import { ServiceQueue } from './ServiceQueue';
import { describeBatch, formatClock, FAULTS, CLOCK_MOVES, PACES } from './practiceLabels';

const POLL_MS = 3000;
const NO_BATCH = 'Send a batch first, or enter a transaction number.';

/** Playing the state and making trouble, for training. There is no such thing at a real service. */
export function PracticeView() {
  const profile = findActiveProfile(useProfiles().data?.profiles)?.profile;
  const isPractice = profile?.environment === 'practice';
  const look = useOperationQuery('practice_show', {}, { enabled: isPractice, refetchEvery: POLL_MS });
  const acting = useOperationAction('practice_act', ['practice_show', 'status_show', 'events_notices']);
  const { showToast } = useToasts();
  const [secret, setSecret] = useState('');
  const act = (request: PracticeAct) =>
    acting.mutate(request, {
      onSuccess: (outcome) => {
        showToast(outcome.text);
        setSecret(outcome.secret);
      },
    });
  const end = () => act({ kind: 'end_failures' });
  useActions([{ id: 'practice.endFailures', title: 'Stop all simulated failures', group: 'Practice', run: end }]);
  if (profile && !isPractice) return <PracticeOnlyNotice />;
  return (
    <div className="view practice">
      <ViewHeader title="Practice panel" note={look.data ? formatClock(look.data) : ''} />
      <p className="practice-band" role="note">
        <strong>Practice only.</strong> Simulate the state’s decisions and service failures. Nothing leaves this
        computer, and real services don’t have this panel.
      </p>
      <QueryError of={look} />
      <div className="card-columns practice-body">
        <StateSimulation busy={acting.isPending} onAct={act} />
        <StampWordingForm busy={acting.isPending} onAct={act} />
        <FailureSimulation busy={acting.isPending} onAct={act} state={look.data} />
        <ServiceClock busy={acting.isPending} onAct={act} state={look.data} />
        <DialectChoice busy={acting.isPending} onAct={act} state={look.data} />
        <PracticeAccount busy={acting.isPending} onAct={act} state={look.data} />
        {look.data && <ServiceQueue state={look.data} />}
      </div>
      {secret !== '' && <PracticeKeyDialog secret={secret} onClose={() => setSecret('')} />}
    </div>
  );
}

function PracticeOnlyNotice() {
  const { go } = useNavigation();
  return (
    <div className="view practice">
      <ViewHeader title="Practice panel" />
      <div className="card empty">
        <strong>For the Practice profile only</strong>
        <p>Real services don’t have this panel. Switch to the Practice profile to use it.</p>
        <Button onClick={() => go('settings', 'profiles')}>Go to profiles</Button>
      </div>
    </div>
  );
}

interface PanelProps {
  busy: boolean;
  onAct(act: PracticeAct): void;
}

/** The steps after sending, for a whole batch or for one transaction. */
function StateSimulation({ busy, onAct }: PanelProps) {
  const batches = useOperationQuery('batch_list').data?.batches ?? [];
  const sent = batches.filter((batch) => batch.environment === 'practice' && batch.batch_ids.length > 0);
  const [chosen, setChosen] = useState<string | null>(null);
  const [number, setNumber] = useState('');
  const batch = sent.find((each) => each.id === chosen) ?? sent[0];
  const which = () =>
    number.trim() === ''
      ? { batches: batch?.batch_ids ?? [], transactions: [] }
      : { batches: [], transactions: splitNumbers(number) };
  const gate = { busy, disabledReason: number.trim() === '' && !batch && NO_BATCH };
  return (
    <section className="card card-body" aria-label="Simulate the state">
      <h2>Simulate the state</h2>
      <p className="quiet-text">What happens to transactions after they’re sent.</p>
      {sent.length === 0 ? (
        <p>Nothing has been sent yet. Send a batch first, or enter a transaction number.</p>
      ) : (
        <SelectField
          label="Batch"
          choices={sent.map((each) => ({ code: each.id, name: describeBatch(each.name, each.counts.total) }))}
          value={batch?.id ?? ''}
          onChange={setChosen}
        />
      )}
      <div className="buttons at-end">
        <Field
          label="Only these transactions"
          inputMode="numeric"
          placeholder="Numbers; empty for the whole batch"
          value={number}
          onChange={setNumber}
        />
        <FindTransactionButton group="Practice" onFound={(id) => setNumber([...splitNumbers(number), id].join(', '))} />
      </div>
      <div className="buttons">
        <Button look="primary" {...gate} onClick={() => onAct({ kind: 'file', ...which() })}>
          File with the state
        </Button>
        <Button {...gate} onClick={() => onAct({ kind: 'assign_numbers', ...which() })}>
          Assign state numbers
        </Button>
        <Button {...gate} onClick={() => onAct({ kind: 'pay', ...which() })}>
          Mark taxes and fees paid
        </Button>
        <Button
          busy={busy}
          disabledReason={!batch && NO_BATCH}
          onClick={() => batch?.batch_ids.forEach((id) => onAct({ kind: 'fail_batch', batch: id }))}
        >
          Fail the batch
        </Button>
      </div>
    </section>
  );
}

const splitNumbers = (typed: string) => typed.split(/[\s,]+/).filter(Boolean);

function StampWordingForm({ busy, onAct }: PanelProps) {
  const { reference } = useWorkbench();
  const [state, setState] = useState('TX');
  const [text, setText] = useState('');
  return (
    <section className="card card-body" aria-label="Stamp wording">
      <h2>Stamp wording</h2>
      <SelectField label="State" choices={reference.states} value={state} onChange={setState} />
      <Field label="New wording" value={text} hint="Plain text" onChange={setText} />
      <div className="buttons">
        <Button
          busy={busy}
          disabledReason={text.trim() === '' && 'Enter the new wording first.'}
          onClick={() => onAct({ kind: 'stamp_wording', state, text })}
        >
          Change wording
        </Button>
        <Button busy={busy} onClick={() => onAct({ kind: 'stamp_wording', state, text: '' })}>
          Reset to default
        </Button>
      </div>
    </section>
  );
}

interface StatefulPanelProps extends PanelProps {
  state: PracticeState | undefined;
}

function FailureSimulation({ busy, onAct, state }: StatefulPanelProps) {
  const [fault, setFault] = useState<PracticeFault>('delay');
  const [times, setTimes] = useState('3');
  const [pace, setPace] = useState('all');
  const count = /^\d{1,4}$/.test(times.trim()) ? Number(times) : 0;
  return (
    <section className="card card-body" aria-label="Simulate failures">
      <h2>Simulate failures</h2>
      <SelectField
        label="Failure"
        choices={FAULTS}
        value={fault}
        onChange={(code) => setFault(code as PracticeFault)}
      />
      <Field
        label="Number of requests"
        inputMode="numeric"
        value={times}
        error={count === 0 && times.trim() !== '' ? 'Enter a number, e.g. 3.' : undefined}
        onChange={setTimes}
      />
      <div className="buttons">
        <Button
          busy={busy}
          disabledReason={count === 0 && 'Enter the number of requests first.'}
          onClick={() =>
            onAct({ kind: 'simulate_failures', fault, times: count, delay_ms: fault === 'delay' ? 5000 : 0 })
          }
        >
          Simulate failures
        </Button>
        <Button
          busy={busy}
          disabledReason={!state?.faults && 'No failures are being simulated.'}
          onClick={() => onAct({ kind: 'end_failures' })}
        >
          Stop{state && state.faults > 0 ? ` (${state.faults} left)` : ''}
        </Button>
      </div>
      <SelectField
        label="Batch processing speed"
        choices={PACES}
        value={pace}
        onChange={(code) => {
          setPace(code);
          onAct({ kind: 'speed', rows_per_second: PACES.find((each) => each.code === code)?.rows ?? null });
        }}
      />
    </section>
  );
}

/** Answering as other providers read the specification. */
function DialectChoice({ busy, onAct, state }: StatefulPanelProps) {
  const dialects = state?.dialects ?? [];
  const spoken = dialects.filter((dialect) => dialect.spoken).map((dialect) => dialect.name);
  const choose = (name: string, on: boolean) =>
    onAct({ kind: 'dialects', names: on ? [...spoken, name] : spoken.filter((each) => each !== name) });
  return (
    <section className="card card-body" aria-label="Other providers">
      <h2>Other providers</h2>
      <p className="quiet-text">Have the service respond as other providers might, alone or combined.</p>
      <details>
        <summary>{spoken.length === 0 ? 'As usual' : spoken.join(', ')}</summary>
        {dialects.map((dialect) => (
          <Checkbox
            key={dialect.name}
            label={dialect.sentence}
            checked={dialect.spoken}
            onChange={(on) => choose(dialect.name, on)}
          />
        ))}
      </details>
      <div className="buttons">
        <Button
          busy={busy}
          disabledReason={spoken.length === 0 && 'The service responds as usual.'}
          onClick={() => onAct({ kind: 'dialects', names: [] })}
        >
          Respond as usual
        </Button>
      </div>
    </section>
  );
}

function ServiceClock({ busy, onAct, state }: StatefulPanelProps) {
  return (
    <section className="card card-body" aria-label="The service’s clock">
      <h2>
        <Icon name="clock" /> The service’s clock
      </h2>
      <p>{state ? formatClock(state) : ''}</p>
      <div className="buttons">
        {CLOCK_MOVES.map(({ seconds, name }) => (
          <Button key={seconds} busy={busy} onClick={() => onAct({ kind: 'move_clock', seconds })}>
            {name}
          </Button>
        ))}
        <Button
          busy={busy}
          disabledReason={!state?.moved_seconds && 'The clock already shows the real time.'}
          onClick={() => state && onAct({ kind: 'move_clock', seconds: -state.moved_seconds })}
        >
          Reset to now
        </Button>
      </div>
    </section>
  );
}
