import type { FieldError, QuoteAnswer, QuoteLine, QuoteRequest, SavedQuote } from '../bindings/operations';
import type { OperationError } from '../platform';
import { parseAmount } from '../values';
import { normalizeAmount } from '../values/amount';
import { blankForm, filledLines } from './quoteForm';

/** The quote on the table: what is typed, what the service said, where it is saved. */
export interface Quote {
  form: QuoteRequest;
  /** One key per row of the lines, so that a row keeps its field and focus when another is removed. */
  rows: number[];
  nextRow: number;
  answer: QuoteAnswer | null;
  /** The question that `answer` belongs to, see `questionKey`. */
  answeredQuestion: string;
  problem: OperationError | null;
  errors: FieldError[];
  /** Grows each time errors arrive: the focus goes to the first then, not while they are repaired. */
  failureCount: number;
  saved: { id: string; name: string; revision: string } | null;
  /** RFC 3339; when the draft was last stored. */
  draftSavedAt: string;
  /** Grows with each opened or new quote, so that fields start over. */
  generation: number;
}

export type QuoteAction =
  | { do: 'edit'; change: Partial<QuoteRequest> }
  | { do: 'line'; at: number; change: Partial<QuoteLine> }
  | { do: 'add line' }
  | { do: 'remove line'; at: number }
  | { do: 'answered'; answer: QuoteAnswer; form: string }
  | { do: 'failed'; problem: OperationError | null; errors: FieldError[] }
  | { do: 'open'; quote: SavedQuote; as: 'saved' | 'copy' }
  | { do: 'restore'; form: QuoteRequest; at: string }
  | { do: 'saved'; quote: SavedQuote }
  | { do: 'draft stored'; at: string }
  | { do: 'new'; today: string }
  | { do: 'duplicate' }
  | { do: 'put back'; quote: Quote }
  | { do: 'profile changed' };

export function serializeForm(form: QuoteRequest): string {
  return JSON.stringify(form);
}

function canonicalAmount(typed: string): string {
  const read = parseAmount(typed);
  return read.ok ? read.amount : typed.trim();
}

/** Equal for forms that ask the same: `$900` and `900.00` do, and what only the sheet says asks nothing. */
export function questionKey(form: QuoteRequest): string {
  return JSON.stringify({
    ...form,
    lines: filledLines(form).map((line) => ({ code: line.code, premium: canonicalAmount(line.premium) })),
    agency_fee: canonicalAmount(form.agency_fee),
    inspection_fee: canonicalAmount(form.inspection_fee),
    insured: '',
    sheet: null,
  });
}

export function blankQuote(today: string): Quote {
  return {
    form: blankForm(today),
    rows: [0],
    nextRow: 1,
    answer: null,
    answeredQuestion: '',
    problem: null,
    errors: [],
    failureCount: 0,
    saved: null,
    draftSavedAt: '',
    generation: 0,
  };
}

function loadForm(quote: Quote, form: QuoteRequest): Quote {
  const lines = (form.lines.length > 0 ? form.lines : [{ code: '', premium: '' }]).map((line) => ({
    ...line,
    premium: normalizeAmount(line.premium),
  }));
  const rows = lines.map((_, at) => quote.nextRow + at);
  const fresh = blankQuote(form.policy_effective);
  return {
    ...fresh,
    form: { ...form, lines },
    rows,
    nextRow: quote.nextRow + rows.length,
    generation: quote.generation + 1,
  };
}

/** Fields whose value changed are no longer at fault. */
function removeErrors(errors: FieldError[], pointers: string[]): FieldError[] {
  return errors.filter((error) => !pointers.includes(error.pointer));
}

/** Where a quote is saved, and what it was when this desk saw it. */
const placeOf = ({ id, name, revision }: SavedQuote) => ({ id, name, revision });

export function reduceQuote(quote: Quote, change: QuoteAction): Quote {
  switch (change.do) {
    case 'edit': {
      const pointers = Object.keys(change.change).map((field) => `/${field}`);
      return {
        ...quote,
        form: { ...quote.form, ...change.change },
        errors: removeErrors(quote.errors, pointers),
        problem: null,
      };
    }
    case 'line': {
      const lines = quote.form.lines.map((line, at) => (at === change.at ? { ...line, ...change.change } : line));
      const pointers = Object.keys(change.change).map((field) => `/lines/${change.at}/${field}`);
      return { ...quote, form: { ...quote.form, lines }, errors: removeErrors(quote.errors, pointers), problem: null };
    }
    case 'add line':
      return {
        ...quote,
        form: { ...quote.form, lines: [...quote.form.lines, { code: '', premium: '' }] },
        rows: [...quote.rows, quote.nextRow],
        nextRow: quote.nextRow + 1,
      };
    case 'remove line': {
      const lines = quote.form.lines.filter((_, at) => at !== change.at);
      if (lines.length === 0) lines.push({ code: '', premium: '' });
      const rows = quote.form.lines.length === 1 ? [quote.nextRow] : quote.rows.filter((_, at) => at !== change.at);
      const errors = quote.errors.filter((error) => !error.pointer.startsWith('/lines/'));
      return { ...quote, form: { ...quote.form, lines }, rows, nextRow: quote.nextRow + 1, errors };
    }
    case 'answered':
      return { ...quote, answer: change.answer, answeredQuestion: change.form, problem: null, errors: [] };
    case 'failed':
      return { ...quote, problem: change.problem, errors: change.errors, failureCount: quote.failureCount + 1 };
    case 'open': {
      const opened = loadForm(quote, change.quote.request);
      const saved = change.as === 'saved' ? placeOf(change.quote) : null;
      return {
        ...opened,
        saved,
        answer: change.quote.answer,
        answeredQuestion: change.quote.answer ? questionKey(opened.form) : '',
      };
    }
    case 'restore':
      return { ...loadForm(quote, change.form), draftSavedAt: change.at };
    case 'saved':
      return { ...quote, saved: placeOf(change.quote) };
    case 'draft stored':
      return { ...quote, draftSavedAt: change.at };
    case 'new':
      return { ...loadForm(quote, blankForm(change.today)) };
    case 'profile changed':
      // What the service of another profile objected to.
      return { ...quote, problem: null, errors: quote.problem === null ? quote.errors : [] };
    case 'duplicate':
      return { ...quote, saved: null };
    case 'put back':
      return { ...change.quote, nextRow: quote.nextRow, generation: quote.generation + 1 };
  }
}
