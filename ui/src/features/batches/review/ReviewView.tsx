import { useState } from 'react';

import type { ReviewView as Review } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Problem } from '../../../components/ErrorBox';
import { useBatches } from '../../../workbench/batchPlace';
import { MatchDesk } from '../match/MatchStep';
import { ReviewHead } from '../ReviewHeader';
import { StopReading } from './ReadingProgress';
import { ReviewDesk } from './ReviewStep';
import { useGrowingRows, useReviewState, useReviewWork } from './useReviewOperations';

/** One file on its way: read, matched, reviewed. */
export function ReviewView({ id }: { id: string }) {
  const { data: review, error, refetch } = useReviewState(id);
  const work = useReviewWork(id);
  const [matching, setMatching] = useState(false);
  const { goTo } = useBatches();
  useGrowingRows(review);
  if (!review)
    return (
      <div className="empty">
        {error && <Problem error={error} onRemedy={() => void refetch()} />}
        {error && <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>}
      </div>
    );
  if (review.stage === 'refused') return <Refused review={review} />;
  const reading = review.stage === 'reading';
  if (reading && review.counts.rows === 0) return <Reading review={review} />;
  if (review.stage === 'match' || (reading && review.asks) || matching)
    return (
      <MatchDesk
        review={review}
        work={work}
        onDone={() => setMatching(false)}
        onBack={review.stage === 'review' || (reading && !review.asks) ? () => setMatching(false) : null}
      />
    );
  return <ReviewDesk review={review} work={work} onMatch={() => setMatching(true)} />;
}

function Reading({ review }: { review: Review }) {
  const whole = Math.max(review.total_bytes, 1);
  return (
    <>
      <ReviewHead review={review} step="Add" />
      <div className="empty">
        <strong>
          {review.is_draft ? 'Opening' : 'Reading'} {review.name}
        </strong>
        <progress max={whole} value={Math.min(review.read_bytes, whole)} aria-label="Read so far" />
        <p>The first rows can be looked at while the rest is read.</p>
        <StopReading review={review} />
      </div>
    </>
  );
}

function Refused({ review }: { review: Review }) {
  const { start, goTo } = useBatches();
  return (
    <>
      <ReviewHead review={review} step="Add" />
      <div className="batches-body">
        <div className="card empty" role="alert">
          <strong>This file was not taken</strong>
          <p>{review.refusal ?? 'It could not be read.'}</p>
          <p>Nothing was changed in it.</p>
          <div className="buttons">
            <Button look="primary" onClick={() => start({ kind: 'dialog' })}>
              Open another file
            </Button>
            <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>
          </div>
        </div>
      </div>
    </>
  );
}
