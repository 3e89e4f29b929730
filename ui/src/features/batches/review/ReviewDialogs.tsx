import { Suspense, useEffect } from 'react';

import type { IssueGroupView, ReviewView } from '../../../bindings/operations';
import { lazyNamed } from '../../../components';
import { lazyWithPreload } from '../../../components/lazyWithPreload';
import { useBatchPlace } from '../../../workbench/batchPlace';
import type { BordereauColumn } from '../bordereauFields';
import type { KeepWarningTarget } from './KeepWarningDialog';
import type { useReviewGrid } from './useReviewGrid';
import type { ReviewOperations } from './useReviewOperations';

const FixDialog = lazyNamed(() => import('./GroupFixDialog'), 'GroupFixDialog');
const KeepDialog = lazyNamed(() => import('./KeepWarningDialog'), 'KeepWarningDialog');
const DocumentsDialog = lazyNamed(() => import('./AttachDocumentsDialog'), 'AttachDocumentsDialog');
const ValuesDialog = lazyNamed(() => import('../match/MatchValuesDialog'), 'MatchValuesDialog');

// A key of the grid opens them while the hand types on: what is typed would fall into the cell until they are here.
const sending = lazyWithPreload(() => import('./SendBatchDialog').then((module) => module.SendBatchDialog));
const replace = lazyWithPreload(() => import('./ReplaceDialog').then((module) => module.ReplaceDialog));
const columnFilter = lazyWithPreload(() => import('./ColumnFilterDialog').then((module) => module.ColumnFilterDialog));

/** What is open over the rows, or in the bar above them. */
export type ReviewPanel =
  | 'send'
  | 'documents'
  | 'values'
  | 'find'
  | 'replace'
  | { fix: IssueGroupView }
  | { keep: KeepWarningTarget }
  | { filter: number; title: string }
  | null;

interface Props {
  review: ReviewView;
  work: ReviewOperations;
  panel: ReviewPanel;
  grid: ReturnType<typeof useReviewGrid>;
  columns: BordereauColumn[];
  onClose(): void;
}

/** The dialogs of a review. */
export function ReviewDialogs({ review, work, panel, grid, columns, onClose }: Props) {
  const { documents } = useBatchPlace();
  useEffect(() => {
    for (const dialog of [sending, replace, columnFilter]) void dialog.preload();
  }, []);
  const { id } = review;
  const { query } = grid.rowsQuery;
  const about = typeof panel === 'object' ? panel : null;
  return (
    <Suspense fallback={null}>
      {panel === 'replace' && (
        <replace.View
          id={id}
          seenChanges={review.changes_of_others}
          rows={query}
          ranges={grid.ranges}
          columns={columns}
          onDone={work.showReview}
          onClose={onClose}
        />
      )}
      {about && 'filter' in about && (
        <columnFilter.View
          id={id}
          rows={query}
          column={about.filter}
          title={about.title}
          onFilter={grid.rowsQuery.filterColumn}
          onClose={onClose}
        />
      )}
      {panel === 'send' && <sending.View review={review} onClose={onClose} />}
      {(panel === 'documents' || documents.length > 0) && (
        <DocumentsDialog review={review} onDone={work.showReview} onClose={onClose} />
      )}
      {panel === 'values' && <ValuesDialog review={review} work={work} onClose={onClose} />}
      {about && 'keep' in about && (
        <KeepDialog id={id} target={about.keep} onDone={work.showReview} onClose={onClose} />
      )}
      {about && 'fix' in about && (
        <FixDialog
          id={id}
          seenChanges={review.changes_of_others}
          title={about.fix.title}
          code={about.fix.code}
          fix={about.fix.fix ?? ''}
          label={about.fix.fix_label ?? about.fix.title}
          onDone={work.showReview}
          onClose={onClose}
        />
      )}
    </Suspense>
  );
}
