import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query';

import type { RowsQuery, RowView } from '../../../bindings/operations';
import { PAGE_ROWS } from '../../../components/grid/rowWindow';
import { type PagedRows, type PageSource, pageQuery, usePagedRows } from '../../../components/grid/usePagedRows';
import { usePlatform } from '../../../operations';
import type { Platform } from '../../../platform';

/** Which rows of which review. */
export interface ReviewRowsKey {
  id: string;
  rows: RowsQuery;
}

export interface ReviewRows extends PagedRows<RowView> {
  /** Asks again for what could not be read. */
  again(): void;
}

const reviewPages = (platform: Platform, of: ReviewRowsKey): PageSource<RowView> => ({
  queryKey: ['review_rows', of.id, of.rows],
  fetchPage: (from) => platform.call('review_rows', { ...of, from, count: PAGE_ROWS }),
  totalKey: JSON.stringify(of),
});

/** Requests the first rows while the view around them is drawn. */
export function usePrefetchRows(of: ReviewRowsKey): void {
  usePrefetchQuery(pageQuery(reviewPages(usePlatform(), of), 0));
}

/** The rows of a review between two places. */
export function useReviewRows(of: ReviewRowsKey, first: number, end: number): ReviewRows {
  const client = useQueryClient();
  const rows = usePagedRows(reviewPages(usePlatform(), of), first, end);
  return { ...rows, again: () => void client.refetchQueries({ queryKey: ['review_rows', of.id], type: 'active' }) };
}
