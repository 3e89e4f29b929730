import './transaction.css';

import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { useActions } from '../../../actions/ActionRegistry';
import type { IssueView, ReviewView } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { ErrorBox } from '../../../components/ErrorBox';
import { DataTable } from '../../../components';
import { ViewHeader } from '../../../components/ViewHeader';
import { useToasts } from '../../../operations/toasts';
import { useOperationAction, useOperationMutation } from '../../../operations/useOperation';
import { formatMoney } from '../../../values/amount';
import { pluralize } from '../../../values/count';
import { formatTime } from '../../../values/date';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { useImportFields } from '../bordereauFields';
import { MATCH_VALUES } from '../review/IssueGroups';
import { IssueDetails } from '../review/IssueNote';
import type { KeepWarningTarget } from '../review/KeepWarningDialog';
import type { ReviewOperations } from '../review/useReviewOperations';
import { sendBlockReason } from '../review/TotalsBar';
import { SharesTable } from './SharesTable';
import { ChargeField, TransactionField } from './TransactionField';
import { AMOUNT_FIELDS, INSURED_FIELDS, isOtherField, POLICY_FIELDS, SHARE_LISTS } from './transactionSections';
import { useMarkedFields } from './useMarkedFields';
import { useCalculatedAmounts } from './useCalculatedAmounts';
import { type TransactionCells, useTransactionCells } from './useTransactionCells';

const KeepDialog = lazy(() =>
  import('../review/KeepWarningDialog').then((module) => ({ default: module.KeepWarningDialog })),
);
const SendDialog = lazy(() =>
  import('../review/SendBatchDialog').then((module) => ({ default: module.SendBatchDialog })),
);
const DocumentsDialog = lazy(() =>
  import('../review/AttachDocumentsDialog').then((module) => ({ default: module.AttachDocumentsDialog })),
);

type TransactionPanel = 'send' | 'documents' | { keep: KeepWarningTarget } | null;

interface Props {
  review: ReviewView;
  work: ReviewOperations;
}

/** One transaction by hand: the checks of a review beside what is typed, a draft until it is sent. */
export function TransactionForm({ review, work }: Props) {
  const { goTo, documents, setDocuments } = useBatchPlace();
  const { showToast } = useToasts();
  const [panel, setPanel] = useState<TransactionPanel>(null);
  const marks = useMarkedFields();
  const cells = useTransactionCells(review, work, marks);
  const fix = useFix(review, work);
  const calculated = useCalculatedAmounts(cells);
  const body = useRef<HTMLDivElement>(null);
  const focusFirst = (selector: string) => body.current?.querySelector<HTMLElement>(selector)?.focus();
  const hasMissing = cells.unmarked > 0;
  useEffect(() => {
    // It opened and nothing else was chosen yet: one types on where something is missing.
    if (hasMissing && document.activeElement?.matches('h1, body')) focusFirst('[aria-required="true"]');
  }, [hasMissing]);
  const close = () => {
    setPanel(null);
    setDocuments([]);
  };
  const open = (next: TransactionPanel) =>
    void cells.flush().then(({ isAsked, isFailed }) => !isAsked && !isFailed && setPanel(next));
  const undo = () =>
    review.undo === ''
      ? showToast('Nothing to undo.')
      : void work.run('review_undo', { id: review.id }).then((done) => done && showToast(`Undone: ${review.undo}.`));
  const discard = useOperationAction('review_close', ['review_list', 'today_show']);
  const leave = () => {
    // A form that was only looked at leaves no draft.
    if (cells.isBlank && review.documents_matched === 0 && !review.batch) discard.mutate({ id: review.id });
    goTo({ at: 'list' });
  };
  const errors = review.counts.errors > 0;
  const unready = findBlockReason(review);
  const send = () =>
    void cells.flush().then(({ isAsked, isFailed }) => {
      if (isAsked || isFailed) return;
      const why = findBlockReason(work.readReview() ?? review);
      if (why === '') return setPanel('send');
      flushSync(marks.markAll);
      focusFirst('[aria-invalid="true"]');
      showToast(why);
    });
  const group = 'Transaction';
  useActions([
    { id: 'transaction.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: leave },
    { id: 'transaction.send', title: 'Send transaction', group, keys: 'Mod+Enter', run: send },
    { id: 'transaction.undo', title: 'Undo', group, keys: 'Mod+Z', ignoredInFields: true, run: undo },
    { id: 'transaction.documents', title: 'Attach documents', group, run: () => open('documents') },
  ]);
  return (
    <>
      <ViewHeader title={review.name} note={describeDraft(review)}>
        <Button onClick={() => open('documents')}>
          {review.documents_matched > 0 ? pluralize(review.documents_matched, 'document') : 'Attach documents'}
        </Button>
        <Button onClick={leave}>All batches</Button>
      </ViewHeader>
      {cells.error && <ErrorBox error={cells.error} />}
      {/* Only listens to which of its fields were left. */}
      <div ref={body} className="transaction-body" onFocus={marks.onFocus} onBlur={marks.onBlur}>
        <form className="card transaction-form scrolls" onSubmit={(event) => event.preventDefault()} noValidate>
          <FieldSection title={POLICY_FIELDS.title} fields={POLICY_FIELDS.fields} cells={cells} />
          <div className="transaction-lists">
            {SHARE_LISTS.map((list) => (
              <SharesTable key={list.codes} list={list} cells={cells} />
            ))}
          </div>
          <FieldSection title={INSURED_FIELDS.title} fields={INSURED_FIELDS.fields} cells={cells} />
          <OtherFields cells={cells} />
        </form>
        <div className="transaction-side scrolls">
          <section className="card" aria-label="Amounts">
            <div className="split card-body">
              <h2>Amounts</h2>
              <Button
                small
                disabledReason={Object.keys(calculated).length === 0 && 'Enter state, line and premium first.'}
                onClick={() => cells.type(calculated)}
              >
                Use all calculated
              </Button>
            </div>
            <AmountTable cells={cells} calculated={calculated} />
            <p className="card-body quiet-text" role="status">
              {errors
                ? 'The total is added up once the errors are corrected.'
                : review.totals.count > 0 &&
                  `Premium ${formatMoney(review.totals.premium || '0')}, taxes and state fees ${formatMoney(review.totals.taxes || '0')}`}
            </p>
          </section>
          <IssueList
            review={review}
            cells={cells}
            onFix={(issue) => void fix(issue, cells.row ?? 1)}
            onKeep={(issue, column) => setPanel({ keep: { ...issue, row: cells.row ?? 1, column, rows: 1 } })}
            onOpen={(issue, column) =>
              void work.run('review_keep', {
                id: review.id,
                code: issue.code,
                row: cells.row ?? 1,
                column,
                keep: false,
                reason: '',
              })
            }
          />
        </div>
      </div>
      <div className="totals" data-part>
        <span role="status">{describeState(review, cells.unmarked)}</span>
        <span className="spring" />
        <Button disabledReason={review.undo === '' && 'Nothing to undo.'} onClick={undo}>
          Undo
        </Button>
        <Button look="primary" keys="Mod+Enter" disabledReason={review.counts.errors === 0 && unready} onClick={send}>
          Send transaction
        </Button>
      </div>
      <Suspense fallback={null}>
        {panel === 'send' && <SendDialog review={review} onClose={close} />}
        {(panel === 'documents' || documents.length > 0) && (
          <DocumentsDialog review={review} onDone={work.showReview} onClose={close} />
        )}
        {panel !== null && typeof panel === 'object' && (
          <KeepDialog id={review.id} target={panel.keep} onDone={work.showReview} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

function describeDraft(review: ReviewView): string {
  const parts = [
    review.batch ? 'Correction' : '',
    review.stored_at ? `${review.batch ? 'draft' : 'Draft'} saved ${formatTime(review.stored_at)}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Why it can't be sent now; empty when it can. */
function findBlockReason(review: ReviewView): string {
  if (review.counts.errors > 0) return 'Correct the errors first. The draft is saved.';
  return sendBlockReason(review);
}

function describeState(review: ReviewView, unmarked: number): string {
  const { errors, warnings } = review.counts;
  if (unmarked > 0) return `${pluralize(unmarked, 'required field')} to fill in.`;
  if (errors > 0) return 'Has errors: not ready to send.';
  const why = findBlockReason(review);
  if (why !== '') return why;
  return warnings > 0 ? 'Ready to send, with warnings.' : 'Ready to send.';
}

function FieldSection({ title, fields, cells }: { title: string; fields: readonly string[]; cells: TransactionCells }) {
  const { find } = useImportFields();
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <div className="pair grid">
        {fields.map((field) => (
          <TransactionField key={field} field={find(field)} cells={cells} />
        ))}
      </div>
    </section>
  );
}

/** The columns that few transactions need. */
function OtherFields({ cells }: { cells: TransactionCells }) {
  const { list } = useImportFields();
  const others = list.filter(({ field }) => isOtherField(field) && field !== 'documents' && field !== 'id');
  const filled = others.filter(({ field }) => cells.text(field) !== '').length;
  return (
    <details className="transaction-others">
      <summary>Other fields{filled > 0 && ` (${filled} filled in)`}</summary>
      <div className="pair grid">
        {others.map((field) => (
          <TransactionField key={field.field} field={field} cells={cells} />
        ))}
      </div>
    </details>
  );
}

function AmountTable({ cells, calculated }: { cells: TransactionCells; calculated: Record<string, string> }) {
  const { find } = useImportFields();
  return (
    <DataTable
      className="amount-fields"
      label="Amounts in US dollars, with what the rules calculate"
      columns={['Charge', 'Amount', { num: 'Calculated' }, { hidden: 'Actions' }]}
    >
      {AMOUNT_FIELDS.map((name) => (
        <ChargeField key={name} field={find(name)} cells={cells} calculated={calculated[name]} />
      ))}
    </DataTable>
  );
}

interface IssueListProps {
  review: ReviewView;
  cells: TransactionCells;
  onFix(issue: IssueView): void;
  onKeep(issue: IssueView, column: number | null): void;
  onOpen(issue: IssueView, column: number | null): void;
}

function IssueList({ review, cells, onFix, onKeep, onOpen }: IssueListProps) {
  const fields = review.columns.flatMap((column) => (column.field === null ? [] : [column.field]));
  const all = [
    ...cells.rowIssues.map((issue) => ({ issue, column: null })),
    ...fields.flatMap((field) => cells.issues(field).map((issue) => ({ issue, column: cells.column(field) }))),
  ];
  return (
    <section className="card card-body transaction-issues" aria-label="Issues">
      <h2>Issues</h2>
      {all.length === 0 && <p className="quiet-text">{cells.unmarked > 0 ? 'No issues so far.' : 'No issues.'}</p>}
      {all.map(({ issue, column }) => (
        <IssueDetails
          key={`${issue.code} ${column} ${issue.message}`}
          // The field above has the list of codes.
          issue={issue.fix === MATCH_VALUES ? { ...issue, fix: null } : issue}
          onFix={onFix}
          onKeep={(each) => onKeep(each, column)}
          onOpen={(each) => onOpen(each, column)}
        />
      ))}
    </section>
  );
}

/** Repairs one issue. */
function useFix(review: ReviewView, work: ReviewOperations): (issue: IssueView, row: number) => Promise<void> {
  const { mutateAsync } = useOperationMutation('review_fix');
  const { showError } = useToasts();
  return (issue, row) =>
    mutateAsync({
      id: review.id,
      code: issue.code,
      fix: issue.fix ?? '',
      row,
      value: '',
      preview: false,
      seen_changes: review.changes_of_others,
    }).then((outcome) => work.showReview(outcome.review), showError);
}
