import type { DeliveryStage, StageEvidence } from '../bindings/operations';
import { formatWhen } from '../values/date';
import { useWorkbench } from '../workbench/Workbench';

/** How far something is known to be: never further than an answer that names it has shown. */
const STAGE_LABELS: Record<DeliveryStage, string> = {
  not_sent: 'Not sent',
  on_its_way: 'Being sent',
  received: 'Received by the service',
  valid: 'Valid at the service',
  processed: 'Processed by the service',
  filed: 'Filed with the state',
  unknown: 'Unknown',
  refused: 'Rejected by the service',
};

interface Props {
  /** What it is about, for screen readers. */
  about: string;
  stage?: DeliveryStage;
  evidence: StageEvidence[];
}

/** Why something is said to be sent, received, processed or filed: what was asked, and what the answer was. */
export function Evidence({ about, stage, evidence }: Props) {
  const { reference } = useWorkbench();
  if (evidence.length === 0) return null;
  return (
    <details className="evidence">
      <summary>
        Why?<span className="only-read"> {about}</span>
      </summary>
      {stage && <p>{STAGE_LABELS[stage]}.</p>}
      {evidence.map((each) => (
        <p key={`${each.at} ${each.question} ${each.answer}`}>
          {formatWhen(each.at, reference.today)}, {each.question}: {each.answer}
        </p>
      ))}
    </details>
  );
}
