import { Suspense, useCallback, useMemo, useState } from 'react';

import type { IssueGroupView, IssueView, ReviewView, RowFilter } from '../../../bindings/operations';
import { Button, lazyNamed } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { arrangeColumns, findMatchedColumns } from '../bordereauFields';
import { findMark, ReviewGrid } from '../grid/ReviewGrid';
import { usePrefetchRows } from '../grid/useReviewRows';
import { ReviewHeader } from '../ReviewHeader';
import { FilterChips } from './FilterChips';
import { FindBar } from './FindBar';
import { GridTools } from './GridTools';
import { IssueGroups } from './IssueGroups';
import { IssueNote } from './IssueNote';
import type { KeepWarningTarget } from './KeepWarningDialog';
import { SelectionFigures } from './SelectionFigures';
import { TotalsBar } from './TotalsBar';
import { focusGrid, useReviewGrid } from './useReviewGrid';
import type { ReviewOperations } from './useReviewOperations';
import { useReviewActions } from './useReviewActions';
import { formatCount } from '../../../values';
import { useFileSave } from '../../../operations/useOperation';

const FixDialog = lazyNamed(() => import('./GroupFixDialog'), 'GroupFixDialog');
const KeepDialog = lazyNamed(() => import('./KeepWarningDialog'), 'KeepWarningDialog');
const SendDialog = lazyNamed(() => import('./SendBatchDialog'), 'SendBatchDialog');
const DocumentsDialog = lazyNamed(() => import('./AttachDocumentsDialog'), 'AttachDocumentsDialog');
const ValuesDialog = lazyNamed(() => import('../match/MatchValuesDialog'), 'MatchValuesDialog');

export type ReviewPanel =
  'send' | 'documents' | 'values' | 'find' | { fix: IssueGroupView } | { keep: KeepWarningTarget } | null;

const EMPTY_FILTER_TEXT: Record<RowFilter, string> = {
  all: 'This file has no rows.',
  ready: 'No rows are ready yet. Each has an error or is excluded.',
  errors: 'No rows have errors.',
  warnings: 'No rows have warnings.',
  changed: 'No rows were changed.',
  excluded: 'No rows are excluded.',
};

/** A repair that asks which code a word means. */
const MATCH_VALUES = 'match_values';

/** How the columns are arranged, for as long as the window is open. */
let lastLayout = { fileOrder: false, showsBlank: false };

interface Props {
  review: ReviewView;
  work: ReviewOperations;
  onMatch(): void;
}

/** The rows with their problems, repaired in place. */
export function ReviewStep({ review, work, onMatch }: Props) {
  usePrefetchRows({ id: review.id, filter: 'all', code: '' });
  const [layout, setLayout] = useState(lastLayout);
  const matched = useMemo(() => findMatchedColumns(review.columns), [review.columns]);
  const columns = useMemo(() => arrangeColumns(matched, layout), [matched, layout]);
  const changeLayout = (change: Partial<typeof lastLayout>) => {
    lastLayout = { ...layout, ...change };
    setLayout(lastLayout);
    focusGrid();
  };
  const grid = useReviewGrid(review, columns, work, () => changeLayout({ showsBlank: true }));
  const [panel, setPanel] = useState<ReviewPanel>(null);
  const [chosen, setChosen] = useState('');
  const { documents, setDocuments } = useBatchPlace();
  const close = useCallback(() => {
    setPanel(null);
    setDocuments([]);
    focusGrid();
  }, [setDocuments]);
  const rejects = useFileSave('rejects_save', [], ' Correct it and open it here again.');
  const saveRejects = (format: 'xlsx' | 'csv') => rejects.save({ id: review.id, format });
  const fixOne = useApplyFix(review.id, work);
  const openAgain = (issue: IssueView, row: number, column: number | null) =>
    work.run('review_keep', { id: review.id, code: issue.code, row, column, keep: false, reason: '' }).then(focusGrid);
  const send = () => setPanel('send');
  const { undo } = useReviewActions({ review, grid, work, open: setPanel, send, rejects: saveRejects, match: onMatch });
  return (
    <>
      <ReviewHeader review={review} step="Review" onMatch={onMatch}>
        <Button onClick={() => setPanel('documents')}>
          Documents {formatCount(review.documents_matched)} of {formatCount(review.counts.transactions)}
        </Button>
      </ReviewHeader>
      <FilterChips counts={review.counts} filter={grid.filter} onFilter={(filter) => grid.show(filter)}>
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
            layout={layout}
            onLayout={changeLayout}
          />
        )}
      </FilterChips>
      <div className="work">
        <IssueGroups
          groups={review.groups}
          chosen={chosen}
          only={grid.code !== ''}
          unmatched={review.columns.some((column) => column.field === null)}
          onMatch={onMatch}
          onChoose={(group) => {
            setChosen(group.code);
            void grid.first(group.first_row, group.first_column);
          }}
          onOnly={(group) => grid.show('all', grid.code === '' ? group.code : '')}
          onFix={(group) => setPanel(group.fix === MATCH_VALUES ? 'values' : { fix: group })}
          onKeep={(group) => setPanel({ keep: { ...group, row: null, column: null } })}
        />
        <ReviewGrid
          label={`Rows in ${review.name}`}
          empty={
            <>
              <p>{grid.code === '' ? EMPTY_FILTER_TEXT[grid.filter] : 'No rows have this issue anymore.'}</p>
              {(grid.filter !== 'all' || grid.code !== '') && (
                <Button onClick={() => grid.show('all')}>Show all rows</Button>
              )}
            </>
          }
          rowsKey={{ id: review.id, filter: grid.filter, code: grid.code }}
          expected={review.counts.rows}
          columns={columns}
          selection={grid.selection}
          onSelect={grid.select}
          onText={grid.text}
          onClear={(rows) => void grid.clear(rows)}
          onCopy={(rows) => void grid.copy(rows)}
          onCut={(rows) => void grid.cut(rows)}
          onFill={(direction, rows) => void grid.fill(direction, rows)}
          onPaste={(text, rows) => void grid.paste(text, rows)}
          onNote={() => document.querySelector<HTMLElement>('#issue-note button')?.focus()}
          onRows={grid.showRows}
          renderNote={(rows, anchor) => {
            const { active } = grid.selection;
            const row = rows.row(active.row);
            const column = columns[active.column]?.column ?? null;
            const own = findMark(row, column);
            if (!row || (!own && !(active.column === 0 && findMark(row, null)))) return null;
            return (
              <IssueNote
                id={review.id}
                row={row.row}
                column={own ? column : null}
                anchor={anchor}
                onFix={(issue) =>
                  issue.fix === MATCH_VALUES ? setPanel('values') : void fixOne(issue, row.row).then(focusGrid)
                }
                onKeep={(issue) => setPanel({ keep: { ...issue, row: row.row, column: own ? column : null, rows: 1 } })}
                onOpen={(issue) => void openAgain(issue, row.row, own ? column : null)}
                onLeave={focusGrid}
              />
            );
          }}
        />
      </div>
      <TotalsBar review={review} onRejects={() => saveRejects('xlsx')} onSend={send}>
        <SelectionFigures range={grid.range} columns={columns} load={grid.load} />
      </TotalsBar>
      <Suspense fallback={null}>
        {panel === 'send' && <SendDialog review={review} onClose={close} />}
        {(panel === 'documents' || documents.length > 0) && (
          <DocumentsDialog review={review} onDone={work.showReview} onClose={close} />
        )}
        {panel === 'values' && <ValuesDialog review={review} work={work} onClose={close} />}
        {panel !== null && typeof panel === 'object' && 'keep' in panel && (
          <KeepDialog id={review.id} target={panel.keep} onDone={work.showReview} onClose={close} />
        )}
        {panel !== null && typeof panel === 'object' && 'fix' in panel && (
          <FixDialog
            id={review.id}
            title={panel.fix.title}
            code={panel.fix.code}
            fix={panel.fix.fix ?? ''}
            label={panel.fix.fix_label ?? panel.fix.title}
            onDone={work.showReview}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function useApplyFix(id: string, work: ReviewOperations): (issue: IssueView, row: number) => Promise<void> {
  const { mutateAsync } = useOperationMutation('review_fix');
  const { showError } = useToasts();
  return (issue, row) =>
    mutateAsync({ id, code: issue.code, fix: issue.fix ?? '', row, preview: false }).then(
      (outcome) => work.showReview(outcome.review),
      showError,
    );
}
