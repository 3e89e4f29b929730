import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';

import type { IssueView, ReviewView, RowFilter, RowsQuery, TableFormat } from '../../../bindings/operations';
import { Button } from '../../../components';
import { lazyWithPreload } from '../../../components/lazyWithPreload';
import { isSingleCell } from '../../../components/grid/selection';
import { useOperationMutation, useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { arrangeColumns, errorFields, findMatchedColumns } from '../bordereauFields';
import { toArea } from '../grid/cellAreas';
import { findMark, ReviewGrid } from '../grid/ReviewGrid';
import { useGridLayout } from '../grid/useGridLayout';
import { usePrefetchRows } from '../grid/useReviewRows';
import { ReviewHeader } from '../ReviewHeader';
import { FilterChips } from './FilterChips';
import { FilterStatus } from './FilterStatus';
import { FindBar } from './FindBar';
import { GridTools } from './GridTools';
import { IssueGroups, MATCH_VALUES } from './IssueGroups';
import { IssueNote } from './IssueNote';
import { ReviewDialogs, type ReviewPanel } from './ReviewDialogs';
import { SelectionFigures } from './SelectionFigures';
import { sendBlockReason, TotalsBar } from './TotalsBar';
import { focusGrid } from './focusGrid';
import { useReviewGrid } from './useReviewGrid';
import type { ReviewOperations } from './useReviewOperations';
import { useReviewActions } from './useReviewActions';
import { useGridMenu } from './useGridMenu';
import { ALL_ROWS, isNarrowed } from './useRowsQuery';
import { formatCount } from '../../../values';
import { useFileSave } from '../../../operations/useOperation';

// A key of the grid opens it while the hand types on: what is typed would fall into the cell until it is here.
const gridMenu = lazyWithPreload(() => import('../../../components/grid/GridMenu').then((module) => module.GridMenu));

const EMPTY_FILTER_TEXT: Record<RowFilter, string> = {
  all: 'This file has no rows.',
  ready: 'No rows are ready yet. Each has an error or is excluded.',
  errors: 'No rows have errors.',
  warnings: 'No rows have warnings.',
  sent: 'No rows were sent before.',
  changed: 'No rows were changed.',
  excluded: 'No rows are excluded.',
};

interface Props {
  review: ReviewView;
  work: ReviewOperations;
  onMatch(): void;
}

/** The rows with their problems, repaired in place. */
export function ReviewStep({ review, work, onMatch }: Props) {
  usePrefetchRows({ id: review.id, rows: ALL_ROWS });
  const { showToast } = useToasts();
  const layout = useGridLayout(review.mapping);
  const matched = useMemo(() => findMatchedColumns(review.columns), [review.columns]);
  // As they are when the rows open: a column that is repaired stays where it is.
  const [errors] = useState(() => errorFields(review));
  const columns = useMemo(() => arrangeColumns(matched, layout.layout, errors), [matched, layout.layout, errors]);
  const grid = useReviewGrid(review, columns, work, () => layout.change({ shows_blank: true, hidden: [] }));
  const { query } = grid.rowsQuery;
  const rowsKey = useMemo(() => ({ id: review.id, rows: query }), [review.id, query]);
  const [panel, setPanel] = useState<ReviewPanel>(null);
  const [chosen, setChosen] = useState('');
  const { setDocuments } = useBatchPlace();
  const close = useCallback(() => {
    setPanel(null);
    setDocuments([]);
    focusGrid();
  }, [setDocuments]);
  /** What changed many rows at once is shown by which of them are left. */
  const closeDialog = () => {
    grid.rowsQuery.again();
    close();
  };
  const rejects = useFileSave('rejects_save', [], ' Correct it and open it here again.');
  const saveRejects = (format: TableFormat) => rejects.save({ id: review.id, format, with_warnings: false });
  const fixOne = useApplyFix(review.id, work);
  const openAgain = (issue: IssueView, row: number, column: number | null) =>
    work.run('review_keep', { id: review.id, code: issue.code, row, column, keep: false, reason: '' }).then(focusGrid);
  const blocked = sendBlockReason(review);
  const send = () => (blocked === '' ? setPanel('send') : showToast(blocked));
  useEffect(() => void gridMenu.preload(), []);
  const isSingleSelection = grid.ranges.length === 1 && isSingleCell(grid.range);
  const menu = useGridMenu({ grid, columns, matched, layout, open: setPanel });
  const { undo } = useReviewActions({ review, grid, work, open: setPanel, send, rejects: saveRejects, match: onMatch });
  return (
    <>
      <ReviewHeader review={review} step="Review" onMatch={onMatch}>
        <Button onClick={() => setPanel('documents')}>
          Documents {formatCount(review.documents_matched)} of {formatCount(review.counts.transactions)}
        </Button>
      </ReviewHeader>
      <FilterChips counts={review.counts} filter={query.filter} onFilter={(filter) => grid.rowsQuery.show(filter)}>
        {panel === 'find' ? (
          <FindBar place={grid.place()} onFind={grid.find} onClose={close} />
        ) : (
          <GridTools
            undo={review.undo}
            onNext={() => void grid.problem(false)}
            onExclude={() => void grid.exclude().then(focusGrid)}
            onUndo={() => void undo().then(focusGrid)}
            onFind={() => setPanel('find')}
            blank={matched.filter((column) => column.is_blank).length}
            layout={layout.layout}
            onLayout={(change) => {
              layout.change(change);
              focusGrid();
            }}
          />
        )}
      </FilterChips>
      <FilterStatus
        query={query}
        shown={grid.total}
        all={review.counts.rows}
        titleOf={menu.titleOf}
        onClear={() => {
          menu.unfilter();
          focusGrid();
        }}
      />
      <div className="work">
        <IssueGroups
          groups={review.groups}
          chosen={chosen}
          only={query.code !== ''}
          unmatched={review.columns.some((column) => column.field === null)}
          onMatch={onMatch}
          onChoose={(group) => {
            setChosen(group.code);
            void grid.first(group.first_row, group.first_column);
          }}
          onOnly={(group) => grid.rowsQuery.show('all', query.code === '' ? group.code : '')}
          onFix={(group) => setPanel(group.fix === MATCH_VALUES ? 'values' : { fix: group })}
          onAttach={() => setPanel('documents')}
          onKeep={(group) => setPanel({ keep: { ...group, row: null, column: null } })}
        />
        <ReviewGrid
          label={`Rows in ${review.name}`}
          empty={
            <>
              <p>{emptyText(query)}</p>
              {isNarrowed(query) && <Button onClick={() => grid.rowsQuery.set(ALL_ROWS)}>Show all rows</Button>}
            </>
          }
          rowsKey={rowsKey}
          expected={review.counts.rows}
          columns={columns}
          selection={grid.selection}
          onSelect={grid.select}
          onText={grid.text}
          commands={grid.commands}
          layout={layout}
          sort={query.sort}
          filtered={query.columns}
          onMenu={menu.show}
          onMoveColumns={menu.drop}
          onNote={() => document.querySelector<HTMLElement>('#issue-note button')?.focus()}
          onRows={grid.showRows}
          renderNote={(rows, anchor) => {
            const { active } = grid.selection;
            const row = rows.row(active.row);
            const column = columns[active.column]?.column ?? null;
            const own = findMark(row, column);
            // What is wrong with the whole row is looked for in the first column of the file, wherever that is shown.
            const isOfRow = (active.column === 0 || column === 0) && findMark(row, null) !== undefined;
            if (!row || (!own && !isOfRow)) return null;
            const place = isOfRow ? null : column;
            return (
              <IssueNote
                id={review.id}
                row={row.row}
                column={place}
                anchor={anchor}
                onFix={(issue) =>
                  issue.fix === MATCH_VALUES ? setPanel('values') : void fixOne(issue, row.row).then(focusGrid)
                }
                onKeep={(issue) => setPanel({ keep: { ...issue, row: row.row, column: place, rows: 1 } })}
                onOpen={(issue) => void openAgain(issue, row.row, place)}
                onLeave={focusGrid}
              />
            );
          }}
        />
      </div>
      <TotalsBar review={review} onRejects={() => saveRejects('xlsx')} onSend={send}>
        <SelectionFigures
          id={review.id}
          rows={query}
          areas={isSingleSelection ? [] : grid.ranges.map((range) => toArea(range, columns))}
        />
      </TotalsBar>
      <Suspense fallback={null}>
        {menu.point && (
          <gridMenu.View
            label="Selection"
            point={menu.point}
            groups={menu.groups}
            onClose={() => {
              menu.close();
              focusGrid();
            }}
          />
        )}
      </Suspense>
      <ReviewDialogs review={review} work={work} panel={panel} grid={grid} columns={columns} onClose={closeDialog} />
    </>
  );
}

function emptyText({ filter, code, columns }: RowsQuery): string {
  if (columns.length > 0) return 'No rows match the filters.';
  return code === '' ? EMPTY_FILTER_TEXT[filter] : 'No rows have this issue anymore.';
}

function useApplyFix(id: string, work: ReviewOperations): (issue: IssueView, row: number) => Promise<void> {
  const { mutateAsync } = useOperationMutation('review_fix');
  const { showError } = useToasts();
  return (issue, row) =>
    mutateAsync({
      id,
      code: issue.code,
      fix: issue.fix ?? '',
      row,
      value: '',
      preview: false,
      seen_changes: work.readReview()?.changes_of_others ?? null,
    }).then((outcome) => work.showReview(outcome.review), showError);
}
