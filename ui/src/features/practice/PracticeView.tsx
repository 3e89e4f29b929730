import './practice.css';

import { useState } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import type { PracticeAct, PracticeFault, PracticeState } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Choose } from '../../components/SelectField';
import { Field } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { Problem } from '../../components/ErrorBox';
import { ViewHead } from '../../components/ViewHeader';
import { useNotices } from '../../operations/toasts';
import { activeProfile, useAsk, useDo, useProfiles } from '../../operations/useOperation';
import { useNavigation } from '../../workbench/navigation';
import { useWorkbench } from '../../workbench/Workbench';
import { Behind } from './ServiceQueue';
import { batchName, clockOf, FAULTS, MOVES, PACES } from './practiceLabels';

const NOTHING = {};
const LOOK_MS = 3000;
const NO_BATCH = 'Send a batch first, or enter the number of a transaction.';
const wait = (busy: boolean) => busy && 'The service is at it.';

/** Playing the state and making trouble, for training. There is no such thing at a real service. */
export function PracticeView() {
  const profile = activeProfile(useProfiles().data?.profiles)?.profile;
  const isPractice = profile?.environment === 'practice';
  const look = useAsk('practice_look', NOTHING, { enabled: isPractice, every: LOOK_MS });
  const acting = useDo('practice_act', ['practice_look', 'status', 'events_notices']);
  const { tell, fail } = useNotices();
  const act = (request: PracticeAct) =>
    acting.mutate(request, { onSuccess: (outcome) => tell(outcome.text), onError: fail });
  useActions([
    { id: 'practice.endTrouble', title: 'End all trouble', group: 'Practice', run: () => act({ kind: 'end_trouble' }) },
  ]);
  if (profile && !isPractice) return <NotHere />;
  return (
    <div className="view practice">
      <ViewHead title="Practice panel" note={look.data ? clockOf(look.data) : ''} />
      <p className="practice-band" role="note">
        <strong>Practice only.</strong> Here you play the state and make trouble, to see what the desk does. Nothing
        leaves this computer, and no real service has this panel.
      </p>
      {look.error && <Problem error={look.error} onRemedy={() => void look.refetch()} />}
      <div className="practice-body">
        <PlayState busy={acting.isPending} onAct={act} />
        <Wording busy={acting.isPending} onAct={act} />
        <Trouble busy={acting.isPending} onAct={act} state={look.data} />
        <Clock busy={acting.isPending} onAct={act} state={look.data} />
        {look.data && <Behind state={look.data} />}
      </div>
    </div>
  );
}

function NotHere() {
  const { go } = useNavigation();
  return (
    <div className="view practice">
      <ViewHead title="Practice panel" />
      <div className="card empty">
        <strong>This is for the Practice profile only</strong>
        <p>No real service lets anybody play the state. Switch to the Practice profile to use it.</p>
        <Button onClick={() => go('settings', 'profiles')}>Go to the profiles</Button>
      </div>
    </div>
  );
}

interface Panel {
  busy: boolean;
  onAct(act: PracticeAct): void;
}

/** The steps after sending, for a whole batch or for one transaction. */
function PlayState({ busy, onAct }: Panel) {
  const batches = useAsk('batch_list', NOTHING).data?.batches ?? [];
  const sent = batches.filter((batch) => batch.environment === 'practice' && batch.batch_ids.length > 0);
  const [chosen, setChosen] = useState<string | null>(null);
  const [number, setNumber] = useState('');
  const batch = sent.find((each) => each.id === chosen) ?? sent[0];
  const which = () =>
    number.trim() === ''
      ? { batches: batch?.batch_ids ?? [], transactions: [] }
      : { batches: [], transactions: number.split(/[\s,]+/).filter(Boolean) };
  const none = number.trim() === '' && !batch;
  return (
    <section className="card" aria-label="Play the state">
      <h2>Play the state</h2>
      <p className="quiet-text">What happens to transactions after the service has them.</p>
      {sent.length === 0 ? (
        <p>Nothing was sent from here yet. Send a batch first, or enter the number of a transaction.</p>
      ) : (
        <Choose
          label="Batch"
          choices={sent.map((each) => ({ code: each.id, name: batchName(each.name, each.counts.total) }))}
          value={batch?.id ?? ''}
          onChange={setChosen}
        />
      )}
      <Field
        label="Only these transactions"
        hint="The service’s numbers; empty is the whole batch"
        inputMode="numeric"
        value={number}
        onChange={setNumber}
      />
      <div className="buttons">
        <Button
          look="primary"
          off={wait(busy) || (none && NO_BATCH)}
          onClick={() => onAct({ kind: 'file', ...which() })}
        >
          File with the state
        </Button>
        <Button off={wait(busy) || (none && NO_BATCH)} onClick={() => onAct({ kind: 'assign_numbers', ...which() })}>
          Assign state numbers
        </Button>
        <Button off={wait(busy) || (none && NO_BATCH)} onClick={() => onAct({ kind: 'pay', ...which() })}>
          Mark taxes and fees paid
        </Button>
        <Button
          off={wait(busy) || (!batch && NO_BATCH)}
          onClick={() => batch?.batch_ids.forEach((id) => onAct({ kind: 'fail_batch', batch: id }))}
        >
          Fail the batch
        </Button>
      </div>
    </section>
  );
}

function Wording({ busy, onAct }: Panel) {
  const { reference } = useWorkbench();
  const [state, setState] = useState('TX');
  const [text, setText] = useState('');
  return (
    <section className="card" aria-label="Stamp wording">
      <h2>Stamp wording</h2>
      <Choose
        label="State"
        choices={reference.states.map(({ code, name }) => ({ code, name }))}
        value={state}
        onChange={setState}
      />
      <Field label="New wording" value={text} hint="Plain text" onChange={setText} />
      <div className="buttons">
        <Button
          off={wait(busy) || (text.trim() === '' && 'Write the new wording first.')}
          onClick={() => onAct({ kind: 'stamp_wording', state, text })}
        >
          Change the wording
        </Button>
        <Button off={wait(busy)} onClick={() => onAct({ kind: 'stamp_wording', state, text: '' })}>
          Back to the rule’s own
        </Button>
      </div>
    </section>
  );
}

interface Seeing extends Panel {
  state: PracticeState | undefined;
}

function Trouble({ busy, onAct, state }: Seeing) {
  const [fault, setFault] = useState<PracticeFault>('delay');
  const [times, setTimes] = useState('3');
  const [pace, setPace] = useState('all');
  const count = /^\d{1,4}$/.test(times.trim()) ? Number(times) : 0;
  return (
    <section className="card" aria-label="Make trouble">
      <h2>Make trouble</h2>
      <Choose
        label="What goes wrong"
        choices={FAULTS.map(({ fault: code, name }) => ({ code, name }))}
        value={fault}
        onChange={(code) => setFault(code as PracticeFault)}
      />
      <Field
        label="How many requests"
        inputMode="numeric"
        value={times}
        error={count === 0 && times.trim() !== '' ? 'Type a number, such as 3.' : undefined}
        onChange={setTimes}
      />
      <div className="buttons">
        <Button
          off={wait(busy) || (count === 0 && 'Say how many requests first.')}
          onClick={() =>
            onAct({
              kind: 'trouble',
              fault,
              times: count,
              delay_ms: fault === 'delay' ? 5000 : 0,
            })
          }
        >
          Make trouble
        </Button>
        <Button
          off={wait(busy) || (!state?.faults && 'Nothing goes wrong now.')}
          onClick={() => onAct({ kind: 'end_trouble' })}
        >
          End it{state && state.faults > 0 ? ` (${state.faults} left)` : ''}
        </Button>
      </div>
      <Choose
        label="How fast batches are processed"
        choices={PACES.map(({ code, name }) => ({ code, name }))}
        value={pace}
        onChange={(code) => {
          setPace(code);
          onAct({ kind: 'speed', rows_per_second: PACES.find((each) => each.code === code)?.rows ?? null });
        }}
      />
    </section>
  );
}

function Clock({ busy, onAct, state }: Seeing) {
  return (
    <section className="card" aria-label="The service’s clock">
      <h2>
        <Icon name="clock" /> The service’s clock
      </h2>
      <p>{state ? clockOf(state) : ''}</p>
      <div className="buttons">
        {MOVES.map(({ seconds, name }) => (
          <Button key={seconds} off={wait(busy)} onClick={() => onAct({ kind: 'move_clock', seconds })}>
            {name}
          </Button>
        ))}
        <Button
          off={wait(busy) || (!state?.moved_seconds && 'The clock shows the real time.')}
          onClick={() => state && onAct({ kind: 'move_clock', seconds: -state.moved_seconds })}
        >
          Back to now
        </Button>
      </div>
    </section>
  );
}
