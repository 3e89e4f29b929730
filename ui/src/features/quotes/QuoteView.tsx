import './quotes.css';

import { Suspense, useState } from 'react';

import type { QuoteFiling } from '../../bindings/operations';
import { Button, Dialog, lazyNamed, ViewHeader } from '../../components';
import { useSavedQuotes } from './saved/useSavedQuotes';
import { formatTime, formatWhen } from '../../values';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useWorkbench } from '../../workbench/Workbench';
import { buildQuoteRequest } from '../../workbench/quoteForm';
import { useNavigation } from '../../workbench/navigation';
import { AnswerPanel } from './AnswerPanel';
import { QuoteForm } from './QuoteForm';
import { useQuoteActions } from './useQuoteActions';
import { useCalculateTaxes, useShownAnswer } from './useQuoteAnswer';

const OpenDialog = lazyNamed(() => import('./saved/OpenQuoteDialog'), 'OpenQuoteDialog');
const SheetDialog = lazyNamed(() => import('./ClientSheetDialog'), 'ClientSheetDialog');
const TotalDialog = lazyNamed(() => import('./TotalDialog'), 'TotalDialog');
const CancellationDialog = lazyNamed(() => import('./CancellationDialog'), 'CancellationDialog');
const EndorsementDialog = lazyNamed(() => import('./EndorsementDialog'), 'EndorsementDialog');
const SaveAsDialog = lazyNamed(() => import('./SaveAsDialog'), 'SaveAsDialog');

type QuotePanel = 'open' | 'save as' | 'sheet' | 'total' | 'cancellation' | 'endorsement' | null;

/** The question at the left, the answer at the right. */
export function QuoteView() {
  const { quote, reference } = useWorkbench();
  const { go } = useNavigation();
  const [filed, setFiled] = useState<QuoteFiling | null>(null);
  const [panel, setPanel] = useState<QuotePanel>(null);
  const { shown, isLate, stale, estimateError } = useShownAnswer();
  const { calculate, busy } = useCalculateTaxes();
  const { open } = useSavedQuotes();
  const actions = useQuoteActions(
    calculate,
    { shown, isLate },
    {
      open: () => setPanel('open'),
      saveAs: () => setPanel('save as'),
      sheet: () => setPanel('sheet'),
      total: () => setPanel('total'),
      cancellation: () => setPanel('cancellation'),
      endorsement: () => setPanel('endorsement'),
      filed: setFiled,
    },
  );
  const close = () => setPanel(null);
  const request = buildQuoteRequest(quote.form, reference);
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
        <QuoteForm
          onCalculate={calculate}
          onAdd={actions.addLine}
          onNew={actions.startNew}
          onTotal={() => setPanel('total')}
          onCancellation={() => setPanel('cancellation')}
          onEndorsement={() => setPanel('endorsement')}
          busy={busy}
        />
        <AnswerPanel
          shown={shown}
          stale={stale}
          problem={quote.problem}
          estimateError={estimateError}
          request={request}
          onRetry={calculate}
          onCopy={actions.copyTable}
        />
      </div>
      <Suspense fallback={null}>
        {panel === 'open' && <OpenDialog onClose={close} onOpen={(id) => open(id, close)} />}
        {panel === 'sheet' && shown && <SheetDialog request={request} answer={shown} onClose={close} />}
        {panel === 'total' && <TotalDialog request={request} onClose={close} />}
        {panel === 'cancellation' && <CancellationDialog request={request} onClose={close} />}
        {panel === 'endorsement' && <EndorsementDialog request={request} onClose={close} />}
        {panel === 'save as' && <SaveAsDialog answer={shown} onClose={close} />}
      </Suspense>
      {filed && <FiledDialog filing={filed} onFileAnew={actions.fileAnew} onClose={() => setFiled(null)} />}
    </div>
  );
}

interface FiledProps {
  filing: QuoteFiling;
  onFileAnew(): void;
  onClose(): void;
}

/** Asks before a quote is filed a second time. */
function FiledDialog({ filing, onFileAnew, onClose }: FiledProps) {
  const { reference } = useWorkbench();
  const { openDraft } = useBatchPlace();
  return (
    <Dialog
      title="This quote was filed before"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onFileAnew}>New transaction</Button>
          <Button look="primary" onClick={() => openDraft(filing.draft ?? '')}>
            Show the transaction
          </Button>
        </>
      }
    >
      <p>
        Its transaction was sent {formatWhen(filing.sent_at ?? '', reference.today)}. A new one would be a second
        filing.
      </p>
    </Dialog>
  );
}

/** Name of the saved quote, and when the draft was last stored. */
function QuoteNote() {
  const { quote } = useWorkbench();
  const draft = quote.draftSavedAt ? `Draft saved ${formatTime(quote.draftSavedAt)}` : '';
  return <>{[quote.saved?.name ?? '', draft].filter(Boolean).join('. ')}</>;
}
