import { Suspense } from 'react';

import type { QuoteAnswer, QuoteRequest } from '../../bindings/operations';
import { Amount, Button, ErrorBox, Icon, lazyNamed, Tag } from '../../components';
import type { OperationError } from '../../platform';
import { formatMoney, formatShortcut, formatTime } from '../../values';
import { totalLabel } from './chargeRows';
import { EstimateDifferences, ResultTable } from './ResultTable';

// With the sanitizer: not needed before the first answer.
const Details = lazyNamed(() => import('./AnswerDetails'), 'AnswerDetails');

interface Props {
  shown: QuoteAnswer | null;
  /** The service's last answer, when the form changed since. */
  stale: QuoteAnswer | null;
  problem: OperationError | null;
  estimateError: OperationError | null;
  request: QuoteRequest;
  onRetry(): void;
  onCopy(): void;
}

/** The answer, beside the question. */
export function AnswerPanel({ shown, stale, problem, estimateError, request, onRetry, onCopy }: Props) {
  return (
    <section className="card answer" aria-label="Result" data-part>
      {problem && (
        <div className="answer-notice">
          <ErrorBox error={problem} onRetry={onRetry} onFields={focusFirstError} />
        </div>
      )}
      {!shown && estimateError && !problem && (
        <div className="answer-notice">
          <ErrorBox error={estimateError} />
        </div>
      )}
      {shown ? (
        <>
          <AnswerTotal answer={shown} stale={stale} />
          <ResultTable answer={shown} lines={request.lines.length} />
          <div className="result-foot">
            <Button look="quiet" small keys="Mod+Shift+C" onClick={onCopy}>
              Copy as table
            </Button>
          </div>
          <EstimateDifferences answer={shown} />
          <Suspense fallback={null}>
            <Details answer={shown} request={request} />
          </Suspense>
        </>
      ) : (
        !problem && !estimateError && <EmptyAnswer />
      )}
    </section>
  );
}

function AnswerTotal({ answer, stale }: { answer: QuoteAnswer; stale: QuoteAnswer | null }) {
  return (
    <>
      {/* F6 from the form comes here: for those whose screen reader does not tell of what arrives. */}
      <div className="total" id="total" role="group" aria-labelledby="total" tabIndex={-1} data-first>
        <div>
          <span className="total-word">{totalLabel(answer)}</span>{' '}
          {answer.by === 'service' ? (
            <Tag tone="ok" icon>
              Service, {formatTime(answer.at)}
            </Tag>
          ) : (
            <Tag tone="info">{answer.rules_from_pack ? 'Estimate, rules pack' : 'Estimate, built-in rules'}</Tag>
          )}{' '}
          {answer.missing_amounts.length > 0 && (
            <Tag tone="warn" icon>
              without {answer.missing_amounts.join(', ')}
            </Tag>
          )}{' '}
          {answer.rules_version !== '' && <span className="quiet-text no-wrap">Rules {answer.rules_version}</span>}
        </div>
        <strong className="num">
          <Amount value={answer.total} standalone />
        </strong>
      </div>
      {stale && (
        <p className="warn-strip">
          <Icon name="clock" />
          The form changed after the service calculated {formatMoney(stale.total)} at {formatTime(stale.at)}. Press
          Enter to recalculate.
        </p>
      )}
    </>
  );
}

function EmptyAnswer() {
  return (
    <div className="empty">
      <strong>Taxes appear here as you type</strong>
      <p>Enter the state of the risk, a line of business, and its premium. Press Tab to go to the next field.</p>
      <p>
        Names and codes both work: <b>tex</b> or <b>TX</b>, <b>general liab</b> or <b>1002</b>. An estimate from the
        built-in rules appears right away. Press Enter to calculate with the service.
      </p>
      <p>
        Press {formatShortcut('Mod+K')} to search or run a command, F1 for help. Drop a spreadsheet on this window to
        start a batch.
      </p>
    </div>
  );
}

function focusFirstError(): void {
  document.querySelector<HTMLElement>('.quote-form .bad input')?.focus();
}
