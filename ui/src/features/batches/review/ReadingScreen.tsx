import type { ReviewView } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { useToasts } from '../../../operations/toasts';
import { useOperationMutation } from '../../../operations/useOperation';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { formatCount, pluralize } from '../../../values/count';

const MB = 1_000_000;
const megabytes = (bytes: number) =>
  (bytes / MB).toLocaleString('en-US', { maximumFractionDigits: bytes < MB ? 1 : 0 });

/** Why nothing can be changed yet; empty when it can. */
export const readingLockReason = (review: ReviewView): string =>
  review.stage === 'reading'
    ? 'The file is still being read. You can look at it now and make changes in a moment.'
    : '';

/** How far a file is that is being read, in words. */
function describeProgress(review: ReviewView): string {
  const { read_bytes: read, total_bytes: total, read_rows: rows, checked_rows: checked } = review;
  if (rows > 0) return `Checking: ${formatCount(Math.min(checked, rows))} of ${formatCount(rows)} rows…`;
  if (total === 0 || read >= total) return 'Reading rows…';
  return `Reading ${megabytes(read)} of ${megabytes(total)} MB…`;
}

/** How far the reading is, in the place of totals that are not known yet; and its end. */
export function ReadingProgress({ review }: { review: ReviewView }) {
  const { counts, is_draft: isDraft } = review;
  const shown = counts.rows > 0 ? `Showing the first ${pluralize(counts.rows, 'row')}. ` : '';
  return (
    <div className="totals" data-part>
      <ReadingProgressBar review={review} />
      <span>{describeProgress(review)}</span>
      <span className="quiet-text">
        {shown}
        {isDraft
          ? 'Opening the draft with all your changes.'
          : 'Edits, totals, and sending are available once the whole file is read.'}
      </span>
      <span className="spring" />
      <StopReadingButton review={review} />
    </div>
  );
}

/** Its bytes, then its rows. */
function ReadingProgressBar({ review }: { review: ReviewView }) {
  const { total_bytes: total, read_bytes: read, read_rows: rows, checked_rows: checked } = review;
  const measured = rows > 0 ? { max: rows, value: Math.min(checked, rows) } : { max: total, value: read };
  if (measured.max === 0 || (rows === 0 && read >= total)) return null;
  return <progress className="reading-progress" aria-label={rows > 0 ? 'Rows checked' : 'File read'} {...measured} />;
}

/** Ends the reading of a new file. A draft that is opened again is only left: what was done to it stays. */
export function StopReadingButton({ review }: { review: ReviewView }) {
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
    <Button disabledReason={isPending && 'Working…'} onClick={stop}>
      Cancel import
    </Button>
  );
}
