import { lazy, Suspense, useState } from 'react';

import type { ReviewView as Review } from '../../../bindings/operations';
import { Button, ErrorBox } from '../../../components';
import { useOperationMutation } from '../../../operations/useOperation';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { MatchStep } from '../match/MatchStep';
import { ReviewHeader } from '../ReviewHeader';
import { ReadingScreen } from './ReadingScreen';
import { ReviewStep } from './ReviewStep';
import { useAnnouncedReading, useReviewState, useReviewOperations } from './useReviewOperations';

const TransactionForm = lazy(() =>
  import('../transaction/TransactionForm').then((module) => ({ default: module.TransactionForm })),
);

/** One file while it is read, matched, and reviewed; one transaction by hand as a form. */
export function ReviewView({ id }: { id: string }) {
  const { data: review, error, refetch } = useReviewState(id);
  const work = useReviewOperations(id);
  const [matching, setMatching] = useState(false);
  const { goTo } = useBatchPlace();
  useAnnouncedReading(review);
  if (!review)
    return (
      <div className="empty">
        {error && <ErrorBox error={error} onRetry={refetch} />}
        {error && <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>}
      </div>
    );
  if (review.stage === 'refused') return <RefusedScreen review={review} />;
  if (review.stage === 'reading') return <ReadingScreen review={review} />;
  if (review.stage === 'match' || matching)
    return (
      <MatchStep
        review={review}
        work={work}
        onDone={() => setMatching(false)}
        onBack={review.stage === 'review' ? () => setMatching(false) : null}
      />
    );
  if (review.is_single)
    return (
      <Suspense fallback={null}>
        <TransactionForm review={review} work={work} />
      </Suspense>
    );
  return <ReviewStep review={review} work={work} onMatch={() => setMatching(true)} />;
}

function RefusedScreen({ review }: { review: Review }) {
  const { startReview, goTo } = useBatchPlace();
  const reading = useOperationMutation('review_read_again', ['review_state']);
  return (
    <>
      <ReviewHeader review={review} step="Add" />
      <div className="view-body scrolls">
        <div className="card empty" role="alert">
          <strong>This file couldn’t be imported</strong>
          <p>{review.refusal ?? 'The file couldn’t be read.'}</p>
          <p>The file wasn’t changed.</p>
          <div className="buttons">
            {review.can_read_again && (
              <Button onClick={() => reading.mutate({ id: review.id })}>Read this file again</Button>
            )}
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
