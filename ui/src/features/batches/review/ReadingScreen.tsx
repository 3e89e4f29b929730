import type { ReviewView } from '../../../bindings/operations';
import { Button } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { formatCount } from '../../../values';
import { ReviewHeader } from '../ReviewHeader';

const MB = 1_000_000;
const megabytes = (bytes: number) =>
  (bytes / MB).toLocaleString('en-US', { maximumFractionDigits: bytes < MB ? 1 : 0 });

/** How far a file is that is being read, in words. */
function describeProgress(review: ReviewView): string {
  const { read_bytes: read, total_bytes: total, read_rows: rows, checked_rows: checked } = review;
  if (rows > 0) return `Checking: ${formatCount(Math.min(checked, rows))} of ${formatCount(rows)} rows…`;
  if (total === 0 || read >= total) return 'Reading rows…';
  return `Reading ${megabytes(read)} of ${megabytes(total)} MB…`;
}

/** A file that is being read: how far, and its end. */
export function ReadingScreen({ review }: { review: ReviewView }) {
  return (
    <>
      <ReviewHeader review={review} step="Add" />
      <div className="empty">
        <strong>
          {review.is_draft ? 'Opening' : 'Reading'} {review.name}
        </strong>
        <ReadingProgressBar review={review} />
        <p>{describeProgress(review)}</p>
        <StopReadingButton review={review} />
      </div>
    </>
  );
}

/** Its bytes, then its rows. Without a value while neither is known: it moves, and says no more. */
function ReadingProgressBar({ review }: { review: ReviewView }) {
  const { total_bytes: total, read_bytes: read, read_rows: rows, checked_rows: checked } = review;
  const measured = rows > 0 ? { max: rows, value: Math.min(checked, rows) } : { max: total, value: read };
  const isKnown = measured.max > 0 && (rows > 0 || read < total);
  return <progress aria-label={rows > 0 ? 'Rows checked' : 'File read'} {...(isKnown ? measured : {})} />;
}

/** Ends the reading of a new file. A draft that is opened again is only left: what was done to it stays. */
function StopReadingButton({ review }: { review: ReviewView }) {
  const { mutate, isPending } = useOperationMutation('review_close', ['review_list']);
  const { showToast, showError } = useToasts();
  const { goTo } = useBatchPlace();
  const stop = () =>
    mutate(
      { id: review.id },
      {
        onSuccess: () => {
          goTo({ at: 'list' });
          showToast(`Import of ${review.name} canceled. Nothing was saved.`);
        },
        onError: showError,
      },
    );
  if (review.is_draft) return <Button onClick={() => goTo({ at: 'list' })}>All batches</Button>;
  return (
    <Button busy={isPending} onClick={stop}>
      Cancel import
    </Button>
  );
}
