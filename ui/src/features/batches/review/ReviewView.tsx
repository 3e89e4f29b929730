import { useState } from 'react';

import type { ReviewView as Review } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { ErrorBox } from '../../../components/ErrorBox';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { MatchStep } from '../match/MatchStep';
import { ReviewHeader } from '../ReviewHeader';
import { StopReadingButton } from './ReadingProgress';
import { ReviewStep } from './ReviewStep';
import { useRefreshWhileReading, useReviewState, useReviewOperations } from './useReviewOperations';

/** One file while it is read, matched, and reviewed. */
export function ReviewView({ id }: { id: string }) {
  const { data: review, error, refetch } = useReviewState(id);
  const work = useReviewOperations(id);
  const [matching, setMatching] = useState(false);
  const { goTo } = useBatchPlace();
  useRefreshWhileReading(review);
  if (!review)
    return (
      <div className="empty">
        {error && <ErrorBox error={error} onAction={() => void refetch()} />}
        {error && <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>}
      </div>
    );
  if (review.stage === 'refused') return <RefusedScreen review={review} />;
  const reading = review.stage === 'reading';
  if (reading && review.counts.rows === 0) return <ReadingScreen review={review} />;
  if (review.stage === 'match' || (reading && review.asks) || matching)
    return (
      <MatchStep
        review={review}
        work={work}
        onDone={() => setMatching(false)}
        onBack={review.stage === 'review' || (reading && !review.asks) ? () => setMatching(false) : null}
      />
    );
  return <ReviewStep review={review} work={work} onMatch={() => setMatching(true)} />;
}

function ReadingScreen({ review }: { review: Review }) {
  const whole = Math.max(review.total_bytes, 1);
  return (
    <>
      <ReviewHeader review={review} step="Add" />
      <div className="empty">
        <strong>
          {review.is_draft ? 'Opening' : 'Reading'} {review.name}
        </strong>
        <progress max={whole} value={Math.min(review.read_bytes, whole)} aria-label="File read" />
        <p>You can look at the first rows while the rest is read.</p>
        <StopReadingButton review={review} />
      </div>
    </>
  );
}

function RefusedScreen({ review }: { review: Review }) {
  const { startReview, goTo } = useBatchPlace();
  return (
    <>
      <ReviewHeader review={review} step="Add" />
      <div className="view-body scrolls">
        <div className="card empty" role="alert">
          <strong>This file couldn’t be imported</strong>
          <p>{review.refusal ?? 'The file couldn’t be read.'}</p>
          <p>The file wasn’t changed.</p>
          <div className="buttons">
            <Button look="primary" onClick={() => startReview({ kind: 'dialog' })}>
              Open another file
            </Button>
            <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>
          </div>
        </div>
      </div>
    </>
  );
}
