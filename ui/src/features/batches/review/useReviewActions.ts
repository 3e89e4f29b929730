import { useActions } from '../../../actions/ActionRegistry';
import type { ReviewView, RowFilter } from '../../../bindings/operations';
import { useToasts } from '../../../operations/toasts';
import { useBatchPlace } from '../../../workbench/batchPlace';
import type { ReviewPanel } from './ReviewStep';
import type { useReviewGrid } from './useReviewGrid';
import type { ReviewOperations } from './useReviewOperations';

interface ReviewActionOptions {
  review: ReviewView;
  grid: ReturnType<typeof useReviewGrid>;
  work: ReviewOperations;
  open(panel: ReviewPanel): void;
  send(): void;
  rejects(format: 'xlsx' | 'csv'): void;
  match(): void;
}

const FILTERS: [RowFilter, string][] = [
  ['all', 'Show all rows'],
  ['ready', 'Show rows that are ready'],
  ['errors', 'Show rows with errors'],
  ['warnings', 'Show rows with warnings'],
  ['changed', 'Show changed rows'],
  ['excluded', 'Show rows left out'],
];

/** What can be done with the review on screen, with one key each. */
export function useReviewActions({ review, grid, work, open, send, rejects, match }: ReviewActionOptions): {
  undo(): Promise<void>;
} {
  const { showToast } = useToasts();
  const { goTo } = useBatchPlace();
  const { id } = review;
  const undo = async () => {
    if (review.undo === '') return showToast('Nothing to undo.');
    const done = await work.run('review_undo', { id });
    if (done) showToast(`Undone: ${review.undo}.`);
  };
  const redo = () => {
    if (review.redo === '') return showToast('Nothing to redo.');
    return void work.run('review_redo', { id }).then((done) => done && showToast(`Done again: ${review.redo}.`));
  };
  const group = 'Review';
  const own = { group, outsideFields: true };
  const shown = { group, keysElsewhere: true, run: () => undefined };
  useActions([
    { id: 'review.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: () => goTo({ at: 'list' }) },
    { ...own, id: 'review.undo', title: 'Undo', keys: 'Mod+Z', run: () => void undo() },
    { ...own, id: 'review.redo', title: 'Redo', keys: 'Mod+Y', run: redo },
    { ...own, id: 'review.redo.too', title: 'Redo (the other key)', keys: 'Mod+Shift+Z', run: redo },
    { id: 'review.next', title: 'Next problem', group, keys: 'F8', run: () => void grid.problem(false) },
    { id: 'review.back', title: 'Previous problem', group, keys: 'Shift+F8', run: () => void grid.problem(true) },
    { id: 'review.find', title: 'Find in all rows', group, keys: 'Mod+F', run: () => open('find') },
    { id: 'review.send', title: 'Send ready rows', group, keys: 'Mod+Enter', run: send },
    { id: 'review.documents', title: 'Match documents to rows', group, run: () => open('documents') },
    { id: 'review.match', title: 'Match columns', group, run: match },
    { id: 'review.values', title: 'Match values', group, run: () => open('values') },
    {
      ...own,
      id: 'review.exclude',
      title: 'Leave out the selected rows, or take them in again',
      keys: 'Mod+Delete',
      run: () => void grid.exclude(),
    },
    { id: 'review.rejects', title: 'Save rejected rows as XLSX', group, run: () => rejects('xlsx') },
    { id: 'review.rejects.csv', title: 'Save rejected rows as CSV', group, run: () => rejects('csv') },
    ...FILTERS.map(([filter, title]) => ({ id: `review.${filter}`, title, group, run: () => grid.show(filter) })),
    ...review.groups
      .filter((each) => each.fix !== null && each.fix !== 'match_values')
      .map((each) => ({
        id: `review.fix.${each.code}`,
        title: `${each.fix_label ?? 'Repair'}: ${each.title}`,
        group,
        run: () => open({ fix: each }),
      })),
    { ...shown, id: 'grid.edit', title: 'In the grid: edit the cell', keys: 'F2' },
    { ...shown, id: 'grid.note', title: 'In the grid: to the problem of the cell', keys: 'Mod+.' },
    { ...shown, id: 'grid.leave', title: 'In the grid: leave it with Tab after', keys: 'Escape' },
    { ...shown, id: 'grid.copy', title: 'In the grid: copy the range', keys: 'Mod+C' },
    { ...shown, id: 'grid.paste', title: 'In the grid: paste a range', keys: 'Mod+V' },
  ]);
  return { undo };
}
