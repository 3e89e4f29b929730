import type { Profile, TestOutcome, TestReport, TestStep } from '../../bindings/operations';
import { Button, ErrorBox, Tag, type TagLabel, WordTag } from '../../components';
import { useOperationMutation, useToasts } from '../../operations';

const OUTCOME_LABELS: Record<TestOutcome, TagLabel> = {
  ok: { word: 'works', tone: 'ok', icon: 'check' },
  failed: { word: 'failed', tone: 'error', icon: 'error' },
  skipped: { word: 'skipped', tone: 'neutral', icon: 'skipped' },
};

/** Goes to the service step by step and names what failed and what to do. */
export function ConnectionTest({ profile }: { profile: Profile }) {
  const test = useOperationMutation('profile_test', ['status_show']);
  const report = test.data;
  const { announce } = useToasts();
  const run = () => test.mutate({ id: profile.id }, { onSuccess: (done) => announce(describeReport(done)) });
  return (
    <section className="card card-body" aria-label="Connection">
      <h2 className="buttons">
        Connection
        {report && (
          <Tag tone={report.ok ? 'ok' : 'error'} icon={report.ok ? 'check' : 'error'}>
            {report.ok ? `all checks passed, ${report.took_ms} ms` : 'a check failed'}
          </Tag>
        )}
      </h2>
      {test.error && <ErrorBox error={test.error} onRetry={run} />}
      {report && (
        <ol className="stack steps">
          {report.steps.map((step) => (
            <TestStepRow key={step.name} step={step} />
          ))}
        </ol>
      )}
      <div className="buttons">
        <Button busy={test.isPending} onClick={run}>
          {test.isPending ? 'Testing…' : 'Test connection'}
        </Button>
        {!report && !test.error && (
          <span className="quiet-text">
            Checks the address, host name, connection, certificate, sign-in, and calculator.
          </span>
        )}
      </div>
    </section>
  );
}

/** The outcome in a sentence; the steps can be read below it. */
function describeReport({ ok, steps }: TestReport): string {
  const failed = steps.find((step) => step.outcome === 'failed');
  return ok
    ? 'The connection works.'
    : `The test failed. ${failed?.name ?? ''}: ${failed?.detail ?? ''} ${failed?.remedy ?? ''}`;
}

function TestStepRow({ step }: { step: TestStep }) {
  const words = OUTCOME_LABELS[step.outcome];
  return (
    <li>
      <WordTag of={words} />
      <div>
        <strong>{step.name}</strong> <span className="told">{step.detail}</span>
        {step.outcome === 'failed' && step.remedy && <p>{step.remedy}</p>}
      </div>
    </li>
  );
}
