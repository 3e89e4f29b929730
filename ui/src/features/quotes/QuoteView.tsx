import './quotes.css';

import { Suspense, useState } from 'react';

import { Button, lazyNamed, ViewHeader } from '../../components';
import { useSavedQuotes } from './saved/useSavedQuotes';
import { formatTime } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { buildQuoteRequest } from '../../workbench/quoteForm';
import { useNavigation } from '../../workbench/navigation';
import { AnswerPanel } from './AnswerPanel';
import { QuoteForm } from './QuoteForm';
import { useQuoteActions } from './useQuoteActions';
import { useCalculateTaxes, useShownAnswer } from './useQuoteAnswer';

const OpenDialog = lazyNamed(() => import('./saved/OpenQuoteDialog'), 'OpenQuoteDialog');
const SheetDialog = lazyNamed(() => import('./ClientSheetDialog'), 'ClientSheetDialog');
const SaveAsDialog = lazyNamed(() => import('./SaveAsDialog'), 'SaveAsDialog');

/** The question at the left, the answer at the right. */
export function QuoteView() {
  const { quote, reference } = useWorkbench();
  const { go } = useNavigation();
  const [panel, setPanel] = useState<'open' | 'save as' | 'sheet' | null>(null);
  const { shown, stale, estimateError } = useShownAnswer();
  const { calculate, busy } = useCalculateTaxes();
  const { open } = useSavedQuotes();
  const actions = useQuoteActions(calculate, shown, {
    open: () => setPanel('open'),
    saveAs: () => setPanel('save as'),
    sheet: () => setPanel('sheet'),
  });
  const close = () => setPanel(null);
  return (
    <div className="view quote">
      <ViewHeader title="Quote" note={<QuoteNote />}>
        <Button onClick={() => go('compare')}>Compare states</Button>
        <Button keys="Mod+Shift+N" onClick={actions.file}>
          File this quote
        </Button>
        <Button keys="Mod+S" onClick={actions.save}>
          Save
        </Button>
        <Button keys="Mod+P" onClick={actions.print}>
          Print or send
        </Button>
      </ViewHeader>
      <div className="two">
        <QuoteForm onCalculate={calculate} onAdd={actions.addLine} onNew={actions.startNew} busy={busy} />
        <AnswerPanel
          shown={shown}
          stale={stale}
          problem={quote.problem}
          estimateError={estimateError}
          request={buildQuoteRequest(quote.form, reference)}
          onRetry={calculate}
          onCopy={actions.copyTable}
        />
      </div>
      <Suspense fallback={null}>
        {panel === 'open' && <OpenDialog onClose={close} onOpen={(id) => open(id, close)} />}
        {panel === 'sheet' && shown && (
          <SheetDialog request={buildQuoteRequest(quote.form, reference)} answer={shown} onClose={close} />
        )}
        {panel === 'save as' && <SaveAsDialog answer={shown} onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Name of the saved quote, and when the draft was last stored. */
function QuoteNote() {
  const { quote } = useWorkbench();
  const draft = quote.draftSavedAt ? `Draft saved ${formatTime(quote.draftSavedAt)}` : '';
  return <>{[quote.saved?.name ?? '', draft].filter(Boolean).join('. ')}</>;
}
