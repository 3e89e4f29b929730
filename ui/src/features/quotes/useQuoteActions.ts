import { useActions } from '../../actions/ActionRegistry';
import type { QuoteAnswer } from '../../bindings/operations';
import { copyFormattedText, formatTableForCopy } from '../../components/clipboard';
import { useOperationAction } from '../../operations/useOperationAction';
import { useToasts } from '../../operations/toasts';
import { useWorkbench } from '../../workbench/Workbench';
import { buildQuoteRequest } from '../../workbench/quoteForm';
import { buildResultTable } from './chargeRows';

interface QuotePanels {
  open(): void;
  saveAs(): void;
}

interface QuoteActions {
  addLine(): void;
  startNew(): void;
  save(): void;
  copyTable(): void;
  print(): void;
}

/** What can be done with the quote on the table, with one key each. */
export function useQuoteActions(get: () => void, shown: QuoteAnswer | null, panels: QuotePanels): QuoteActions {
  const { quote, change, reference } = useWorkbench();
  const { showToast } = useToasts();
  const saving = useOperationAction('quote_save', ['quote_list']);
  const printing = useOperationAction('quote_pdf');
  const addLine = () => change({ do: 'add line' });
  const startNew = () => change({ do: 'new', today: reference.today });
  const save = () =>
    saving.mutate(
      {
        id: quote.saved?.id ?? null,
        name: quote.saved?.name ?? '',
        request: buildQuoteRequest(quote.form, reference),
        answer: shown,
      },
      {
        onSuccess: (saved) => {
          change({ do: 'saved', id: saved.id, name: saved.name });
          showToast(`Saved as ${saved.name}.`);
        },
      },
    );
  const copyTable = () => {
    if (!shown) return showToast('Nothing to copy yet.');
    const { text, html } = formatTableForCopy(buildResultTable(shown));
    return void copyFormattedText(text, html).then((copied) =>
      showToast(copied ? 'Copied as a table.' : 'Couldn’t copy to the clipboard.'),
    );
  };
  const print = () => {
    if (!shown) return showToast('Nothing to save yet. Calculate taxes first.');
    return printing.mutate(
      { request: buildQuoteRequest(quote.form, reference), answer: shown },
      { onSuccess: (outcome) => outcome.saved && showToast(`Saved ${outcome.file_name}.`) },
    );
  };
  const duplicate = () => {
    change({ do: 'duplicate' });
    showToast('You’re now editing a copy. Saving it creates a new quote.');
  };
  useActions([
    { id: 'quote.get', title: 'Calculate taxes', group: 'Quote', keys: 'Enter', handledByControl: true, run: get },
    { id: 'quote.add', title: 'Add line', group: 'Quote', keys: 'Mod+Enter', run: addLine },
    { id: 'quote.save', title: 'Save quote', group: 'Quote', keys: 'Mod+S', run: save },
    { id: 'quote.save.as', title: 'Save a copy', group: 'Quote', keys: 'Mod+Shift+S', run: panels.saveAs },
    { id: 'quote.duplicate', title: 'Duplicate quote', group: 'Quote', keys: 'Mod+D', run: duplicate },
    { id: 'quote.new', title: 'New quote', group: 'Quote', keys: 'Mod+N', run: startNew },
    { id: 'quote.open', title: 'Open a saved or recent quote', group: 'Quote', keys: 'Mod+O', run: panels.open },
    { id: 'quote.print', title: 'Save quote as PDF', group: 'Quote', keys: 'Mod+P', run: print },
    { id: 'quote.copy', title: 'Copy as table', group: 'Quote', keys: 'Mod+Shift+C', run: copyTable },
  ]);
  return { addLine, startNew, save, copyTable, print };
}
