import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

import { useActions, inGroup } from '../../actions/ActionRegistry';
import type { QuoteAnswer, QuoteFiling, SavedQuote } from '../../bindings/operations';
import {
  QUOTE_QUERIES,
  useConflictToast,
  useOperationAction,
  useOperationMutation,
  useRunAlone,
  useToasts,
} from '../../operations';
import { BLANK_TRANSACTION, useBatchPlace } from '../../workbench/batchPlace';
import { useReplaceQuote, useWorkbench } from '../../workbench/Workbench';
import { buildQuoteRequest } from '../../workbench/quoteForm';
import { buildResultTable } from './chargeRows';
import { useAnswerOfForm } from './useQuoteAnswer';
import { useCopyTable } from '../../components/clipboard';

interface QuotePanels {
  open(): void;
  saveAs(): void;
  sheet(): void;
  total(): void;
  cancellation(): void;
  endorsement(): void;
  /** The quote was filed already. */
  filed(filing: QuoteFiling): void;
}

interface QuoteActions {
  addLine(): void;
  startNew(): void;
  save(): void;
  copyTable(): void;
  print(): void;
  /** Starts the transaction of this quote, or opens the draft there is. */
  file(): void;
  /** Begins it, whatever was filed before. */
  fileAnew(): void;
}

/** What can be done with the quote on the table, with one key each. */
export function useQuoteActions(
  get: () => void,
  answer: { shown: QuoteAnswer | null; isLate: boolean },
  panels: QuotePanels,
): QuoteActions {
  const { quote, change, reference } = useWorkbench();
  const replaceQuote = useReplaceQuote();
  const { showToast } = useToasts();
  const { startReview, openDraft } = useBatchPlace();
  const finding = useOperationAction('quote_filing');
  const showConflict = useConflictToast();
  const opening = useOperationAction('quote_open');
  const openTheirs = () => {
    const open = (theirs: SavedQuote) =>
      replaceQuote({ do: 'open', quote: theirs, as: 'saved' }, `${theirs.name} was opened.`);
    if (quote.saved) opening.mutate({ id: quote.saved.id }, { onSuccess: open });
  };
  const latest = useRef<(id: string | undefined, revision: string) => void>(() => undefined);
  const saving = useOperationMutation('quote_save', QUOTE_QUERIES, (error) =>
    showConflict(error, (revision) => latest.current(quote.saved?.id, revision), openTheirs),
  );
  const request = buildQuoteRequest(quote.form, reference);
  const addLine = () => change({ do: 'add line' });
  const startNew = () => replaceQuote({ do: 'new', today: reference.today }, 'A new quote was started.');
  const answerOfForm = useAnswerOfForm(answer);
  const runAlone = useRunAlone();
  const save = (revision = quote.saved?.revision) =>
    runAlone(async () => {
      const { id = null, name = '' } = quote.saved ?? {};
      const ofForm = await answerOfForm();
      const asked = { id, name, request, answer: ofForm, revision: revision ?? null };
      const saved = await saving.mutateAsync(asked).catch(() => null);
      if (!saved) return;
      // Drawn before the key that is held comes again: the next save is of this quote.
      flushSync(() => change({ do: 'saved', quote: saved }));
      showToast(`Saved as ${saved.name}.`);
    });
  useEffect(() => {
    // As it is now; another quote may be on the table by then.
    latest.current = (id, revision) => id === quote.saved?.id && void save(revision);
  });
  const copyTable = useCopyTable(() => answer.shown && buildResultTable(answer.shown));
  const print = () => {
    if (!answer.shown) return showToast('Nothing to print yet. Calculate taxes first.');
    return panels.sheet();
  };
  const fileAnew = async () =>
    startReview({ kind: 'transaction', ...BLANK_TRANSACTION, quote: request, answer: await answerOfForm() });
  const file = () => {
    if (request.state === '' || request.lines.length === 0)
      return showToast('Nothing to file yet. Enter the state and a line of business first.');
    return finding.mutate(request, {
      onSuccess: (filing) => {
        if (filing.draft === null) return void fileAnew();
        if (filing.sent_at !== null) return panels.filed(filing);
        showToast('This quote has a draft already. Here it is.');
        return openDraft(filing.draft);
      },
    });
  };
  const duplicate = () => {
    change({ do: 'duplicate' });
    showToast('You’re now editing a copy. Saving it creates a new quote.');
  };
  useActions(
    inGroup('Quote', [
      { id: 'quote.get', title: 'Calculate taxes', keys: 'Enter', handledByControl: true, run: get },
      { id: 'quote.add', title: 'Add line', keys: 'Mod+Enter', run: addLine },
      { id: 'quote.save', title: 'Save quote', keys: 'Mod+S', run: () => void save() },
      { id: 'quote.save.as', title: 'Save a copy', keys: 'Mod+Shift+S', run: panels.saveAs },
      { id: 'quote.duplicate', title: 'Duplicate quote', keys: 'Mod+D', run: duplicate },
      { id: 'quote.new', title: 'New quote', keys: 'Mod+N', run: startNew },
      { id: 'quote.open', title: 'Open a saved or recent quote', keys: 'Mod+O', run: panels.open },
      { id: 'quote.print', title: 'Sheet for the client: print, e-mail, PDF', keys: 'Mod+P', run: print },
      { id: 'quote.total', title: 'Premium from a total', run: panels.total },
      { id: 'quote.cancellation', title: 'Cancel a policy: return premium and taxes', run: panels.cancellation },
      { id: 'quote.endorsement', title: 'Change a policy: additional premium and taxes', run: panels.endorsement },
      { id: 'quote.file', title: 'File this quote', keys: 'Mod+Shift+N', run: file },
      { id: 'quote.copy', title: 'Copy as table', keys: 'Mod+Shift+C', run: copyTable },
    ]),
  );
  return { addLine, startNew, save: () => void save(), copyTable, print, file, fileAnew: () => void fileAnew() };
}
