import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

import type {
  AreaChange,
  CellEdit,
  FixOutcome,
  Operations,
  ReviewEdit,
  ReviewView,
  RowsPage,
  RowsQuery,
} from '../../../bindings/operations';
import { useOperationQuery, usePlatform, useToasts } from '../../../operations';
import { OperationError } from '../../../platform';
import { pluralize } from '../../../values';
import { useImportFields } from '../bordereauFields';

/** The core's answer itself waits a moment for something new. */
const READING_MS = 50;
/** Cells of a conflict that are said. */
const CELLS_SAID = 3;
/** Larger pastes are shown when the core has them. */
const MAX_OPTIMISTIC_EDITS = 2000;

/** Operations that change a review. */
type ReviewChange =
  'review_match' | 'review_keep' | 'review_edit' | 'review_areas' | 'review_exclude' | 'review_undo' | 'review_redo';

/** How often typed texts are put in again where others of the office were first. */
const PUT_TRIES = 5;

/** A text that was typed over the one that was there. */
export type TypedText = CellEdit & { before: string };

export interface TypedOutcome {
  /** Someone else changed some of it meanwhile: whose text stays is asked. */
  isAsked: boolean;
  /** It could not be stored, which was said. */
  isFailed: boolean;
}

/** A change as it is asked for: what of the draft the person has seen is added where it is sent. */
type ChangeRequest<K extends ReviewChange> = Omit<Operations[K]['request'], 'seen_changes'>;

export interface ReviewOperations {
  /** Runs an operation after those before it, and shows the review it gives. Null when it failed: told already. */
  run<K extends ReviewChange>(operation: K, request: ChangeRequest<K>): Promise<Operations[K]['answer'] | null>;
  /** Shows a review that came with another answer. */
  showReview(review: ReviewView): void;
  /** The review as the core last answered it, which may not be drawn yet. */
  readReview(): ReviewView | undefined;
  edit(label: string, edits: CellEdit[], typedOver?: string[]): Promise<ReviewView | null>;
  /** Puts texts over those that were there as they were typed; asks first where someone else changed one meanwhile. */
  type(label: string, texts: TypedText[]): Promise<TypedOutcome>;
  /** Changes ranges of the rows shown. */
  change(verb: string, rows: RowsQuery, changes: AreaChange[]): Promise<FixOutcome | null>;
}

/**
 * The review as the core has it; asked again while it is being read. One that someone else of the office changed is
 * read again: until then it is shown as it was, so that the place of the work and what is being typed stay.
 */
export function useReviewState(id: string) {
  const query = useOperationQuery(
    'review_state',
    { id },
    { refetchEvery: (review) => (review?.stage === 'reading' ? READING_MS : Infinity) },
  );
  const [shown, setShown] = useState(query.data);
  const wasRead = shown?.stage === 'review' || shown?.stage === 'match';
  const isReadAgain = wasRead && query.data?.stage === 'reading' && query.data.is_draft;
  if (!isReadAgain && shown !== query.data) setShown(query.data);
  return { ...query, data: isReadAgain ? shown : query.data };
}

/** What changes a review: one thing after the other, in the order of the keys pressed. */
export function useReviewOperations(id: string): ReviewOperations {
  const platform = usePlatform();
  const client = useQueryClient();
  const { showError, showOffers } = useToasts();
  const fields = useImportFields();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const showReview = useCallback(
    (review: ReviewView) => {
      client.setQueryData(['review_state', { id }], review);
      void client.invalidateQueries({ queryKey: ['review_rows', id] });
      void client.invalidateQueries({ queryKey: ['review_issues', { id }] });
      void client.invalidateQueries({ queryKey: ['review_figures'] });
    },
    [client, id],
  );
  const latest = useRef<ReviewOperations['run']>(() => Promise.resolve(null));
  /** The typed texts that the core refused because another was there, or the draft was another's first. */
  const overtook = useRef<{ edits: CellEdit[]; error: OperationError } | null>(null);
  const readReview = useCallback(() => client.getQueryData<ReviewView>(['review_state', { id }]), [client, id]);
  const run = useCallback(
    <K extends ReviewChange>(operation: K, request: ChangeRequest<K>): Promise<Operations[K]['answer'] | null> => {
      // What is shown when the person decides, not when its turn comes. A typed text is compared with the one below it.
      const { edits = [], typed_over: typedOver = [] } = request as Partial<ReviewEdit>;
      const isTyped = typedOver.length > 0;
      const seen = isTyped ? null : (readReview()?.changes_of_others ?? null);
      const sent = (isAsSeen(operation) ? { ...request, seen_changes: seen } : request) as Operations[K]['request'];
      const done = queue.current.then(async () => {
        try {
          const answer = await platform.call(operation, sent);
          showReview('review' in answer ? answer.review : answer);
          return answer;
        } catch (error) {
          // Someone else may have changed it.
          const again = Promise.all(
            [
              ['review_state', { id }],
              ['review_rows', id],
            ].map((queryKey) => client.invalidateQueries({ queryKey })),
          );
          if (!(error instanceof OperationError)) return null;
          const { code, message, retryable } = error.boundary;
          const own = operation === 'review_undo' || operation === 'review_redo' ? null : request;
          const offer = (label: string) => [{ label, run: () => void latest.current(operation, request) }];
          if (isTyped && code === 'changed_elsewhere') {
            await again;
            overtook.current = { edits, error };
          } else if (own && code === 'changed_elsewhere')
            void again.then(() => {
              const said = describeConflict(edits, ...readShown(client, id), fields.find);
              showOffers(error, [message, ...said].join(' '), offer('Put mine in'));
            });
          // A full disk, or a database that can't be reached: nothing has to be typed or pasted again.
          else if (own && retryable) showOffers(error, message, offer('Try again'));
          else showError(error);
          return null;
        }
      });
      queue.current = done;
      return done;
    },
    [platform, client, readReview, showReview, showError, showOffers, fields, id],
  );
  useEffect(() => {
    latest.current = run;
  });
  const edit = useCallback<ReviewOperations['edit']>(
    (label, edits, typedOver = []) => {
      const columns = client.getQueryData<ReviewView>(['review_state', { id }])?.columns ?? [];
      const cellOf = (column: number) => columns.findIndex((each) => each.column === column);
      if (edits.length <= MAX_OPTIMISTIC_EDITS)
        client.setQueriesData<RowsPage>(
          { queryKey: ['review_rows', id] },
          (page) => page && applyEdits(page, edits, cellOf),
        );
      return run('review_edit', { id, label, edits, typed_over: typedOver });
    },
    [run, client, id],
  );
  /** Asks about the texts over which someone else typed meanwhile; gives the others. */
  const askOvertaken = useCallback(
    (label: string, texts: TypedText[], isAgain: boolean) => {
      const [columns, rows] = readShown(client, id);
      const now = ({ row, column, before }: TypedText) =>
        rows.find((each) => each.row === row)?.cells[columns.findIndex((each) => each.column === column)] ?? before;
      const isOvertaken = (typed: TypedText) => now(typed) !== typed.before && now(typed) !== typed.text;
      const overtaken = texts.filter(isOvertaken).map(toEdit);
      if (overtaken.length > 0) {
        const message = describeConflict(overtaken, columns, rows, fields.find).join(' ');
        const error = new OperationError('review_edit', {
          code: 'changed_elsewhere',
          message,
          details: [],
          retryable: false,
        });
        showOffers(error, message, [
          { label: 'Put mine in', run: () => void edit(label, overtaken) },
          { label: 'Keep theirs', run: () => undefined },
        ]);
      }
      // What is shown already is stored; what was refused may still be shown.
      const own = texts.filter((typed) => !isOvertaken(typed) && (isAgain || now(typed) !== typed.text));
      return { own, isAsked: overtaken.length > 0 };
    },
    [client, edit, showOffers, fields, id],
  );
  const type = useCallback<ReviewOperations['type']>(
    async (label, texts) => {
      let left = texts;
      let wasAsked = false;
      for (let tries = 0; ; tries += 1) {
        const { own, isAsked } = askOvertaken(label, left, tries > 0);
        wasAsked ||= isAsked;
        const edits = own.map(toEdit);
        const before = own.map((typed) => typed.before);
        // oxlint-disable-next-line no-await-in-loop
        const isStored = own.length === 0 || (await edit(label, edits, before)) !== null;
        const overtaken = overtook.current?.edits === edits ? overtook.current : null;
        if (!isStored && overtaken && tries < PUT_TRIES) {
          // Someone else was first, in a cell or beside it: now it is shown what is there.
          left = own;
          continue;
        }
        if (overtaken) showError(overtaken.error);
        return { isAsked: wasAsked, isFailed: !isStored };
      }
    },
    [askOvertaken, edit, showError],
  );
  const change = useCallback<ReviewOperations['change']>(
    (verb, rows, changes) => {
      const columns = client.getQueryData<ReviewView>(['review_state', { id }])?.columns ?? [];
      const cellOf = (column: number) => columns.findIndex((each) => each.column === column);
      client.setQueriesData<RowsPage>(
        { queryKey: ['review_rows', id, rows] },
        (page) => page && applyTexts(page, changes, cellOf),
      );
      return run('review_areas', { id, rows, verb, changes });
    },
    [run, client, id],
  );
  return { run, showReview, readReview, edit, type, change };
}

/** Changes that are refused where someone else of the office changed the draft since it was shown. */
const isAsSeen = (operation: ReviewChange) => operation !== 'review_match' && operation !== 'review_keep';

const toEdit = ({ row, column, text }: TypedText): CellEdit => ({ row, column, text });

/** The columns and the rows of a review that are on screen. */
function readShown(client: QueryClient, id: string): [ReviewView['columns'], RowsPage['rows']] {
  const columns = client.getQueryData<ReviewView>(['review_state', { id }])?.columns ?? [];
  const pages = client.getQueriesData<RowsPage>({ queryKey: ['review_rows', id], type: 'active' });
  return [columns, pages.flatMap(([, page]) => page?.rows ?? [])];
}

/** What was typed, and what someone else put there, of the first cells. The row is said where there are several. */
export function describeConflict(
  edits: CellEdit[],
  columns: { column: number; header: string; field: string | null }[],
  rows: { row: number; line: number; cells: string[] }[],
  fieldOf: (name: string) => { short_title: string },
): string[] {
  const quoted = (text: string) => (text === '' ? 'empty' : `“${text}”`);
  const sentences = edits.flatMap(({ row, column, text }) => {
    const at = columns.findIndex((each) => each.column === column);
    const there = rows.find((each) => each.row === row);
    if (at < 0 || !there) return [];
    const now = there.cells[at] ?? '';
    const { field = null, header = '' } = columns[at] ?? {};
    const title = field === null ? header : fieldOf(field).short_title;
    const place = rows.length > 1 ? `Row ${there.line}, ` : '';
    return [`${place}${title}: you typed ${quoted(text)}, and it is ${quoted(now)} now.`];
  });
  const more = sentences.length - CELLS_SAID;
  return more > 0 ? [...sentences.slice(0, CELLS_SAID), `And ${pluralize(more, 'more cell')}.`] : sentences;
}

/** Says when a file is read. */
export function useAnnouncedReading(review: ReviewView | undefined): void {
  const { announce } = useToasts();
  const rows = review?.counts.rows ?? 0;
  const stage = review?.stage;
  const before = useRef(stage);
  useEffect(() => {
    const isRead = stage === 'review' || stage === 'match';
    if (before.current === 'reading' && isRead) announce(`File read: ${pluralize(rows, 'row')}.`);
    before.current = stage;
  }, [stage, announce, rows]);
}

/** A page with edits in it, before the core has answered. */
function applyEdits(page: RowsPage, edits: CellEdit[], cellOf: (column: number) => number): RowsPage {
  const byRow = new Map<number, CellEdit[]>();
  for (const edit of edits) byRow.set(edit.row, [...(byRow.get(edit.row) ?? []), edit]);
  if (!page.rows.some((row) => byRow.has(row.row))) return page;
  return {
    ...page,
    rows: page.rows.map((row) => {
      const own = byRow.get(row.row);
      if (!own) return row;
      const cells = [...row.cells];
      for (const { column, text } of own) cells[cellOf(column)] = text;
      return { ...row, cells, changed: [...row.changed, ...own.map((edit) => edit.column)] };
    }),
  };
}

/** A page with one text in the cells of ranges; what is copied from elsewhere is shown when the core has it. */
function applyTexts(page: RowsPage, changes: AreaChange[], cellOf: (column: number) => number): RowsPage {
  const edits = changes.flatMap(({ area, content }) =>
    content.kind === 'text'
      ? page.rows
          .slice(Math.max(0, area.first - page.from), Math.max(0, area.last + 1 - page.from))
          .flatMap(({ row }) => area.columns.map((column) => ({ row, column, text: content.text })))
      : [],
  );
  return edits.length > 0 ? applyEdits(page, edits, cellOf) : page;
}
