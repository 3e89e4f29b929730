import type { ReviewView } from '../../../bindings/operations';
import { Button, TableCard } from '../../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { formatCount, pluralize } from '../../../values';
import {
  arrangeColumns,
  type BordereauColumn,
  findMatchedColumns,
  isNumericField,
  useImportFields,
} from '../bordereauFields';
import { findMark } from '../grid/ReviewGrid';
import { USUAL_LAYOUT } from '../grid/useGridLayout';
import { ReviewHeader } from '../ReviewHeader';
import { ALL_ROWS } from './useRowsQuery';

const MB = 1_000_000;
const megabytes = (bytes: number) =>
  (bytes / MB).toLocaleString('en-US', { maximumFractionDigits: bytes < MB ? 1 : 0 });

/** Rows and columns shown of a file that is being read. */
const FIRST_ROWS = 12;
const FIRST_COLUMNS = 8;

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
      <ReviewHeader review={{ ...review, counts: { ...review.counts, rows: 0 } }} step="Add" />
      <div className="empty">
        <strong>
          {review.is_draft ? 'Opening' : 'Reading'} {review.name}
        </strong>
        <ReadingProgressBar review={review} />
        <p>{describeProgress(review)}</p>
        <StopReadingButton review={review} />
      </div>
      {review.counts.rows > 0 && <FirstRows review={review} />}
    </>
  );
}

/** The first rows with their problems: to be looked at while the whole is read. */
function FirstRows({ review }: { review: ReviewView }) {
  const { nameFields, find } = useImportFields();
  const page = useOperationQuery('review_rows', { id: review.id, rows: ALL_ROWS, from: 0, count: FIRST_ROWS }).data;
  const columns = arrangeColumns(findMatchedColumns(review.columns), USUAL_LAYOUT).slice(0, FIRST_COLUMNS);
  const isNumber = ({ field }: BordereauColumn) => isNumericField(find(field ?? ''));
  return (
    <div className="view-body scrolls lists">
      <TableCard
        title="First rows"
        note={`${pluralize(review.counts.rows, 'row')} checked so far; the whole file is still being read`}
        before={
          <ul className="first-problems">
            {review.groups.map((group) => (
              <li key={group.code}>{nameFields(group.headline)}</li>
            ))}
          </ul>
        }
        className="first-rows"
        columns={[
          { num: 'Row' },
          ...columns.map((column) => {
            const { short_title: title } = find(column.field ?? '');
            return isNumber(column) ? { num: title } : title;
          }),
        ]}
      >
        {page?.rows.map((row) => (
          <tr key={row.row}>
            <td className="num">{formatCount(row.line)}</td>
            {columns.map((column) => {
              const mark = findMark(row, column.column);
              return (
                <td key={column.column} className={`${mark?.severity ?? ''} ${isNumber(column) ? 'num' : ''}`}>
                  {mark && <span className="only-read">{mark.severity}: </span>}
                  {row.cells[column.cell]}
                </td>
              );
            })}
          </tr>
        ))}
      </TableCard>
    </div>
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
