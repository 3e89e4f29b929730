import './quotes.css';

import { lazy, Suspense, useState } from 'react';

import { Button } from '../../components/Button';
import { ViewHead } from '../../components/ViewHeader';
import { useSavedQuotes } from './saved/useSavedQuotes';
import type { Remedy } from '../../errors/errorTable';
import { timeOf } from '../../values/date';
import { useWorkbench } from '../../workbench/Workbench';
import { requestOf } from '../../workbench/quoteForm';
import { useNavigation } from '../../workbench/navigation';
import { AnswerPanel } from './AnswerPanel';
import { QuoteForm } from './QuoteForm';
import { useQuoteActions } from './useQuoteActions';
import { useGetTaxes, useShownAnswer } from './useQuoteAnswer';

const OpenDialog = lazy(() => import('./saved/OpenQuoteDialog').then((module) => ({ default: module.OpenDialog })));
const SaveAsDialog = lazy(() => import('./SaveAsDialog').then((module) => ({ default: module.SaveAsDialog })));

/** The question at the left, the answer at the right. */
export function QuoteView() {
  const { quote, reference } = useWorkbench();
  const { go } = useNavigation();
  const [panel, setPanel] = useState<'open' | 'save as' | null>(null);
  const { shown, stale, estimateError } = useShownAnswer();
  const { get, busy } = useGetTaxes();
  const { open } = useSavedQuotes();
  const actions = useQuoteActions(get, shown, { open: () => setPanel('open'), saveAs: () => setPanel('save as') });
  const close = () => setPanel(null);
  const remedy = (kind: Remedy) => {
    if (kind === 'retry') get();
    else if (kind === 'keychain') go('settings', 'keychain');
    else if (kind === 'fields') document.querySelector<HTMLElement>('.quote-form .bad input')?.focus();
    else go('settings', 'profiles');
  };
  return (
    <div className="view quote">
      <ViewHead title="Quote" note={<Where />}>
        <Button onClick={() => go('compare')}>Compare states</Button>
        <Button keys="Mod+S" onClick={actions.save}>
          Save
        </Button>
        <Button keys="Mod+P" onClick={actions.print}>
          Print
        </Button>
      </ViewHead>
      <div className="two">
        <QuoteForm onGet={get} onAdd={actions.add} onNew={actions.start} busy={busy} />
        <AnswerPanel
          shown={shown}
          stale={stale}
          problem={quote.problem}
          estimateError={estimateError}
          request={requestOf(quote.form, reference)}
          onRemedy={remedy}
          onCopy={actions.copyTable}
        />
      </div>
      <Suspense fallback={null}>
        {panel === 'open' && <OpenDialog onClose={close} onOpen={(id) => open(id, close)} />}
        {panel === 'save as' && <SaveAsDialog answer={shown} onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Name of the saved quote, and when the draft was last stored. */
function Where() {
  const { quote } = useWorkbench();
  const draft = quote.draftAt ? `Draft, saved ${timeOf(quote.draftAt, false)}` : '';
  return <>{[quote.saved?.name ?? '', draft].filter(Boolean).join('. ')}</>;
}
