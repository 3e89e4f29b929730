import type { FirstSteps as Steps } from '../../bindings/operations';
import { Button, Tag } from '../../components';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useNavigation } from '../../workbench/navigation';

/** The way in on an empty machine: each step is ticked off when it is done. */
export function FirstSteps({ steps, onHide }: { steps: Steps; onHide(): void }) {
  const { go } = useNavigation();
  const { startReview, isStarting } = useBatchPlace();
  const list = [
    {
      title: 'Try a quote',
      text: 'Choose a state and a premium. The answer shows every tax and fee, and why.',
      act: 'Go to quote',
      done: steps.quoted,
      run: () => go('quote'),
    },
    {
      title: 'Drop a spreadsheet, or open the sample',
      text: 'Drop a file anywhere in this window. Problems are shown on the cell, with a repair. Nothing is sent yet.',
      act: 'Open sample',
      done: steps.imported,
      run: () => startReview({ kind: 'sample' }),
    },
    {
      title: 'Connect your account',
      text: 'Until then you use the practice service on this computer, and nothing leaves it.',
      act: 'Connect account',
      done: steps.connected,
      run: () => go('settings', 'profiles'),
    },
  ];
  const next = list.findIndex((step) => !step.done);
  return (
    <section className="card card-body" aria-label="First steps">
      <div className="split">
        <h2>First steps</h2>
        <Button small look="quiet" onClick={onHide}>
          Hide
        </Button>
      </div>
      <ol className="stack first-steps">
        {list.map((step, index) => (
          <li key={step.title} className="split" data-done={step.done}>
            <div>
              <strong>
                {index + 1}. {step.title}
              </strong>
              <p className="quiet-text">{step.text}</p>
            </div>
            {step.done ? (
              <Tag tone="ok" icon="check">
                done
              </Tag>
            ) : (
              <Button
                look={index === next ? 'primary' : 'plain'}
                disabledReason={isStarting && 'Working…'}
                onClick={step.run}
              >
                {step.act}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
