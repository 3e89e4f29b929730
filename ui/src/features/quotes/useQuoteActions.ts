import { useActions } from '../../actions/ActionRegistry';
import type { QuoteAnswer } from '../../bindings/operations';
import { copyFormatted, tableForCopy } from '../../components/clipboard';
import { useNotices } from '../../operations/toasts';
import { useDo } from '../../operations/useOperation';
import { useWorkbench } from '../../workbench/Workbench';
import { requestOf } from '../../workbench/quoteForm';
import { resultTable } from './chargeRows';

interface Panels {
  open(): void;
  saveAs(): void;
}

export interface QuoteActions {
  add(): void;
  start(): void;
  save(): void;
  copyTable(): void;
  print(): void;
}

/** What can be done with the quote on the table, with one key each. */
export function useQuoteActions(get: () => void, shown: QuoteAnswer | null, panels: Panels): QuoteActions {
  const { quote, change, reference } = useWorkbench();
  const { tell, fail } = useNotices();
  const saving = useDo('quote_save', ['quote_list']);
  const printing = useDo('quote_pdf');
  const add = () => change({ do: 'add line' });
  const start = () => change({ do: 'new', today: reference.today });
  const save = () =>
    saving.mutate(
      {
        id: quote.saved?.id ?? null,
        name: quote.saved?.name ?? '',
        request: requestOf(quote.form, reference),
        answer: shown,
      },
      {
        onSuccess: (saved) => {
          change({ do: 'saved', id: saved.id, name: saved.name });
          tell(`Saved as ${saved.name}.`);
        },
        onError: fail,
      },
    );
  const copyTable = () => {
    if (!shown) return tell('There is no answer to copy yet.');
    const { text, html } = tableForCopy(resultTable(shown));
    return void copyFormatted(text, html).then((copied) =>
      tell(copied ? 'Copied as a table.' : 'The clipboard did not take it.'),
    );
  };
  const print = () => {
    if (!shown) return tell('There is no answer to print yet.');
    return printing.mutate(
      { request: requestOf(quote.form, reference), answer: shown },
      { onSuccess: (outcome) => outcome.saved && tell(`Saved ${outcome.file_name}.`), onError: fail },
    );
  };
  const duplicate = () => {
    change({ do: 'duplicate' });
    tell('This is a copy now: saving it makes a new quote.');
  };
  useActions([
    { id: 'quote.get', title: 'Get taxes', group: 'Quote', keys: 'Enter', keysElsewhere: true, run: get },
    { id: 'quote.add', title: 'Add line', group: 'Quote', keys: 'Mod+Enter', run: add },
    { id: 'quote.save', title: 'Save quote', group: 'Quote', keys: 'Mod+S', run: save },
    { id: 'quote.save.as', title: 'Save as copy', group: 'Quote', keys: 'Mod+Shift+S', run: panels.saveAs },
    { id: 'quote.duplicate', title: 'Duplicate quote', group: 'Quote', keys: 'Mod+D', run: duplicate },
    { id: 'quote.new', title: 'New quote', group: 'Quote', keys: 'Mod+N', run: start },
    { id: 'quote.open', title: 'Open a saved or recent quote', group: 'Quote', keys: 'Mod+O', run: panels.open },
    { id: 'quote.print', title: 'Print quote as PDF', group: 'Quote', keys: 'Mod+P', run: print },
    { id: 'quote.copy', title: 'Copy as table', group: 'Quote', keys: 'Mod+Shift+C', run: copyTable },
  ]);
  return { add, start, save, copyTable, print };
}
