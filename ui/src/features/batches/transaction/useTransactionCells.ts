import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

import type { CellIssues, IssueView, ReviewView, RowsPage } from '../../../bindings/operations';
import { usePlatform } from '../../../operations/platform';
import type { OperationError } from '../../../platform';
import type { ReviewOperations, TypedOutcome, TypedText } from '../review/useReviewOperations';
import { ALL_ROWS } from '../review/useRowsQuery';
import type { MarkedFields } from './useMarkedFields';

/** What is typed is stored when the typing rests. */
const REST_MS = 350;
const NO_ISSUES: IssueView[] = [];

/** What was typed into a field, and the text that was there before. */
type TypedOver = Pick<TypedText, 'text' | 'before'>;
type FieldTexts = Record<string, TypedOver>;

export interface TransactionCells {
  /** Row of the table; null until it is read. */
  row: number | null;
  /** The text of a field, as typed so far. */
  text(field: string): string;
  type(changes: Record<string, string>): void;
  /** It has nothing but what every new transaction begins with. */
  isBlank: boolean;
  /** Stores what was typed and is not stored yet. */
  flush(): Promise<TypedOutcome>;
  /** Column of the table. */
  column(field: string): number | null;
  issues(field: string): IssueView[];
  /** It is empty and may not be. */
  isRequired(field: string): boolean;
  /** The sentence below a field: an open error, else nothing. Warnings, and what an empty field needs, are in the list of issues. */
  fieldError(field: string): string | undefined;
  /** Errors that no field shows yet: nobody has been there. */
  unmarked: number;
  /** Issues that belong to no field. */
  rowIssues: IssueView[];
  error: OperationError | null;
}

/** The one row of the review as fields, each edit a step of undo. */
export function useTransactionCells(review: ReviewView, work: ReviewOperations, marks: MarkedFields): TransactionCells {
  const platform = usePlatform();
  const request = {
    id: review.id,
    rows: ALL_ROWS,
    from: 0,
    count: 1,
  };
  const page = useQuery<RowsPage, OperationError>({
    queryKey: ['review_rows', review.id, 'transaction'],
    queryFn: () => platform.call('review_rows', request),
  });
  const row = page.data?.rows[0];
  const [typed, setTyped] = useState<FieldTexts>({});
  // What is stored is what was typed, drawn or not.
  const latest = useRef(typed);
  const change = useCallback((of: (now: FieldTexts) => FieldTexts) => {
    latest.current = of(latest.current);
    setTyped(latest.current);
  }, []);
  const columnOf = useCallback(
    (field: string) => review.columns.find((each) => each.field === field)?.column ?? null,
    [review.columns],
  );
  /** The last try failed: the next one is made when more is typed, it is sent, or another view is opened. */
  const hasFailed = useRef(false);
  const { type } = work;
  const store = useCallback(async () => {
    const sent = latest.current;
    const fields = Object.keys(sent);
    if (fields.length === 0) return { isAsked: false, isFailed: false };
    const texts = Object.entries(sent).flatMap(([field, over]) => {
      const column = columnOf(field);
      return column === null ? [] : [{ row: row?.row ?? 1, column, ...over }];
    });
    // What is typed from now on is typed over this.
    change((now) => mapTexts(now, (field, { text, before }) => ({ text, before: sent[field]?.text ?? before })));
    const names = fields.map((field) => review.columns.find((each) => each.field === field)?.header ?? field);
    const outcome = await type(`Edit ${names.join(', ')}`, texts);
    // What was typed meanwhile stays, as does what could not be stored.
    hasFailed.current = outcome.isFailed;
    change((now) =>
      outcome.isFailed
        ? mapTexts(now, (field, over) => ({ ...over, before: sent[field]?.before ?? over.before }))
        : Object.fromEntries(Object.entries(now).filter(([field, { text }]) => sent[field]?.text !== text)),
    );
    return outcome;
  }, [row?.row, columnOf, type, change, review.columns]);
  // One after the other: who waits for the last one knows that all of it is stored.
  const storing = useRef<Promise<unknown>>(Promise.resolve());
  const flush = useCallback(() => {
    const next = storing.current.then(store);
    storing.current = next;
    return next;
  }, [store]);
  useEffect(() => {
    if (Object.keys(typed).length === 0 || hasFailed.current) return undefined;
    const timer = setTimeout(() => void flush(), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, flush]);
  const latestFlush = useRef(flush);
  useEffect(() => {
    latestFlush.current = flush;
  }, [flush]);
  // Another view is opened before the typing rested.
  useEffect(() => () => void latestFlush.current(), []);
  const marked = [...new Set(row?.marks.map((mark) => mark.column) ?? [])];
  const found = useQueries({
    queries: marked.map((column) => ({
      queryKey: ['review_issues', review.id, row?.row ?? 0, column ?? 'row'],
      queryFn: () => platform.call('review_issues', { id: review.id, row: row?.row ?? 0, column }),
    })),
  });
  const issuesAt = (column: number | null): IssueView[] => {
    const data: CellIssues | undefined = found[marked.indexOf(column)]?.data;
    return data?.issues.map(withoutPlace) ?? NO_ISSUES;
  };
  const ofFields = new Set(
    marked.filter((column) => column !== null).flatMap((column) => issuesAt(column).map(identify)),
  );
  const text = (field: string) => {
    const cell = review.columns.findIndex((each) => each.field === field);
    return typed[field]?.text ?? row?.cells[cell] ?? '';
  };
  const issues = (field: string) => {
    const column = columnOf(field);
    return column === null ? NO_ISSUES : issuesAt(column);
  };
  const openErrors = (field: string) =>
    issues(field).filter((issue) => issue.severity === 'error' && issue.kept === null);
  const isRequired = (field: string) => text(field) === '' && openErrors(field).length > 0;
  const isGiven = ({ field }: { field: string | null }) => field === 'id' || field === 'transaction_type';
  return {
    row: row?.row ?? null,
    text,
    isBlank: row !== undefined && review.columns.every((each) => isGiven(each) || text(each.field ?? '') === ''),
    type(changes) {
      hasFailed.current = false;
      change((now) => {
        const over = Object.entries(changes).map(([field, typedText]) => {
          const before = now[field]?.before ?? text(field);
          return [field, { text: typedText, before }];
        });
        return { ...now, ...(Object.fromEntries(over) as FieldTexts) };
      });
    },
    flush,
    column: columnOf,
    issues: (field) => (isRequired(field) && !marks.isMarked(field, '') ? NO_ISSUES : issues(field)),
    isRequired,
    fieldError(field) {
      const value = text(field);
      if (!marks.isMarked(field, value)) return undefined;
      return isRequired(field) ? 'Required.' : openErrors(field)[0]?.message;
    },
    unmarked: review.columns.filter(({ field }) => field !== null && isRequired(field) && !marks.isMarked(field, ''))
      .length,
    // Asked for without a column, the core answers all issues of the row.
    rowIssues: marked.includes(null) ? issuesAt(null).filter((issue) => !ofFields.has(identify(issue))) : NO_ISSUES,
    error: page.error,
  };
}

// As the core writes it: `Row 2, column C "Policy number": `, or a title where the file has no such column.
const PLACE = /^Row [\d,]+(, column [A-Z]+( ".*?")?|, [^:]*)?: (.)/;

/** A form has no rows and columns: what is wrong is said beside its field. */
const withoutPlace = (issue: IssueView): IssueView => ({
  ...issue,
  place: '',
  message: issue.message.replace(PLACE, (...found) => String(found[3]).toUpperCase()),
});

const identify = (issue: IssueView): string => `${issue.code} ${issue.message}`;
const mapTexts = (texts: FieldTexts, change: (field: string, typed: TypedOver) => TypedOver): FieldTexts =>
  Object.fromEntries(Object.entries(texts).map(([field, typed]) => [field, change(field, typed)]));
