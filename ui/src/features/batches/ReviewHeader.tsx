import type { ReactNode } from 'react';

import type { ExcludedSource, ReviewView } from '../../bindings/operations';
import { Button, ViewTitle } from '../../components';
import { formatCount, formatTime, pluralize } from '../../values';
import { useBatchPlace } from '../../workbench/batchPlace';

type BatchStep = 'Add' | 'Match' | 'Review' | 'Send' | 'Results';
const STEPS: BatchStep[] = ['Add', 'Match', 'Review', 'Send', 'Results'];

/** More than these are folded away. */
const LISTED_MAX = 3;

interface Props {
  review: ReviewView;
  step: BatchStep;
  onMatch?: () => void;
  /** Reads the sheets with the same columns, too. */
  onAllSheets?: () => void;
  children?: ReactNode;
}

/** How the choice of a sheet names all of them. */
export const ALL_SHEETS = '*';

/** Name of the file, what was read of it, and how far it is. */
export function ReviewHeader({ review, step, onMatch, onAllSheets, children }: Props) {
  const { goTo } = useBatchPlace();
  const sheet = review.detected.find((each) => each.what === 'sheet');
  const hasOthers = sheet?.value !== ALL_SHEETS && sheet?.choices.some((choice) => choice.code === ALL_SHEETS);
  return (
    <>
      <header className="head" data-part>
        <ViewTitle className="cut">{review.name}</ViewTitle>
        <span className="quiet-text">{describeReview(review)}</span>
        <span className="spring" />
        <BatchSteps step={step} onMatch={onMatch} />
        {children}
        <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>
      </header>
      {review.left_out.length > 0 && (
        <LeftOutFiles files={review.left_out}>
          {onAllSheets && hasOthers && (
            <Button small onClick={onAllSheets}>
              Read all sheets
            </Button>
          )}
        </LeftOutFiles>
      )}
    </>
  );
}

/** Files dropped with the others that are not in the batch: nobody should have to find that out. */
function LeftOutFiles({ files, children }: { files: ExcludedSource[]; children: ReactNode }) {
  const list = (
    <ul>
      {files.map((file) => (
        <li key={`${file.name} ${file.why}`}>
          <strong>{file.name}</strong>: {file.why}
        </li>
      ))}
    </ul>
  );
  return (
    <div className="note-box left-out" role="note" aria-label="Not read">
      {files.length <= LISTED_MAX ? (
        list
      ) : (
        <details>
          <summary>{formatCount(files.length)} files or sheets were not read</summary>
          {list}
        </details>
      )}
      {children}
    </div>
  );
}

function describeReview(review: ReviewView): string {
  const sheet = review.detected.find((each) => each.what === 'sheet')?.value;
  const ofSheet = sheet === ALL_SHEETS ? 'All sheets' : `Sheet “${sheet}”`;
  return [
    sheet ? ofSheet : '',
    review.counts.rows > 0 ? pluralize(review.counts.rows, 'row') : '',
    review.mapping ? `mapping “${review.mapping}”` : '',
    review.stored_at ? `draft saved ${formatTime(review.stored_at)}` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Where the person is on the way from a file to its results. */
export function BatchSteps({ step, onMatch }: { step: BatchStep; onMatch?: (() => void) | undefined }) {
  return (
    <ol className="way" aria-label="Steps">
      {STEPS.map((each) => (
        <li
          key={each}
          aria-current={each === step ? 'step' : undefined}
          className={each === 'Match' && onMatch ? 'open' : undefined}
        >
          {each === 'Match' && onMatch ? (
            <button type="button" className="link-button step-button" onClick={onMatch}>
              {each}
            </button>
          ) : (
            each
          )}
        </li>
      ))}
    </ol>
  );
}
