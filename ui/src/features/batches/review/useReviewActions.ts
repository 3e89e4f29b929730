import { useActions } from '../../../actions/ActionRegistry';
import type { ReviewView, RowFilter, TableFormat } from '../../../bindings/operations';
import { keepRanges } from '../../../components/grid/selection';
import { useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { MATCH_VALUES } from './IssueGroups';
import type { ReviewPanel } from './ReviewDialogs';
import type { useReviewGrid } from './useReviewGrid';
import type { ReviewOperations } from './useReviewOperations';

interface ReviewActionOptions {
  review: ReviewView;
  grid: ReturnType<typeof useReviewGrid>;
  work: ReviewOperations;
  open(panel: ReviewPanel): void;
  send(): void;
  rejects(format: TableFormat): void;
  match(): void;
}

const EXCLUDE = 'Exclude or include the selected rows';
const FILTERS: [RowFilter, string][] = [
  ['all', 'Show all rows'],
  ['ready', 'Show ready rows'],
  ['errors', 'Show rows with errors'],
  ['warnings', 'Show rows with warnings'],
  ['sent', 'Show rows that were sent'],
  ['changed', 'Show changed rows'],
  ['excluded', 'Show excluded rows'],
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
    return void work.run('review_redo', { id }).then((done) => done && showToast(`Redone: ${review.redo}.`));
  };
  const group = 'Review';
  const own = { group, ignoredInFields: true };
  const shown = { group, handledByControl: true, run: () => undefined };
  useActions([
    { id: 'review.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: () => goTo({ at: 'list' }) },
    { ...own, id: 'review.undo', title: 'Undo', keys: 'Mod+Z', run: () => void undo() },
    { ...own, id: 'review.redo', title: 'Redo', keys: 'Mod+Y', run: redo },
    { ...own, id: 'review.redo.too', title: 'Redo (alternate shortcut)', keys: 'Mod+Shift+Z', run: redo },
    { id: 'review.next', title: 'Next issue', group, keys: 'F8', run: () => void grid.problem(false) },
    { id: 'review.back', title: 'Previous issue', group, keys: 'Shift+F8', run: () => void grid.problem(true) },
    { id: 'review.find', title: 'Find in all rows', group, keys: 'Mod+F', run: () => open('find') },
    { id: 'review.send', title: 'Send ready rows', group, keys: 'Mod+Enter', run: send },
    { id: 'review.documents', title: 'Match documents to rows', group, run: () => open('documents') },
    { id: 'review.match', title: 'Match columns', group, run: match },
    { id: 'review.values', title: 'Match values', group, run: () => open('values') },
    { ...own, id: 'review.exclude', title: EXCLUDE, keys: 'Mod+Delete', run: () => void grid.exclude() },
    { id: 'review.rejects', title: 'Save rejected rows as XLSX', group, run: () => rejects('xlsx') },
    { id: 'review.rejects.csv', title: 'Save rejected rows as CSV', group, run: () => rejects('csv') },
    ...FILTERS.map(([filter, title]) => ({
      id: `review.${filter}`,
      title,
      group,
      run: () => grid.rowsQuery.show(filter),
    })),
    ...review.groups
      .filter((each) => each.fix !== null && each.fix !== MATCH_VALUES)
      .map((each) => ({
        id: `review.fix.${each.code}`,
        title: `${each.fix_label ?? 'Repair'}: ${each.title}`,
        group,
        run: () => open({ fix: each }),
      })),
    { ...shown, id: 'grid.edge', title: 'In the grid: edge of the data', keys: 'Mod+ArrowDown' },
    {
      ...own,
      id: 'grid.add',
      title: 'In the grid: keep selected and select more',
      keys: 'Mod+Shift+A',
      run: () => grid.select(keepRanges(grid.selection)),
    },
    { ...shown, id: 'grid.menu', title: 'In the grid: menu', keys: 'Shift+F10' },
    { ...shown, id: 'grid.edit', title: 'In the grid: edit cell', keys: 'F2' },
    { ...shown, id: 'grid.note', title: 'In the grid: go to the cell’s issues', keys: 'Mod+.' },
    { ...shown, id: 'grid.leave', title: 'In the grid: then Tab leaves it', keys: 'Escape' },
    { ...shown, id: 'grid.copy', title: 'In the grid: copy selection', keys: 'Mod+C' },
    { ...shown, id: 'grid.cut', title: 'In the grid: cut selection', keys: 'Mod+X' },
    { ...shown, id: 'grid.fillDown', title: 'In the grid: fill down', keys: 'Mod+D' },
    { ...shown, id: 'grid.fillRight', title: 'In the grid: fill right', keys: 'Mod+R' },
    { ...shown, id: 'grid.paste', title: 'In the grid: paste', keys: 'Mod+V' },
  ]);
  return { undo };
}
