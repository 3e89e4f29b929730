import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';

import type { QuoteAnswer } from '../../bindings/operations';
import { useDebounced } from '../../components';
import { QUOTE_QUERIES, useOperationMutation, usePlatform, useToasts } from '../../operations';
import type { OperationError } from '../../platform';
import { formatMoney, formatTime, isCredit } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { toFormPointer, findMissingFields, buildQuoteRequest, findUnreadableFields } from '../../workbench/quoteForm';
import { totalLabel } from './chargeRows';
import { questionKey } from '../../workbench/quoteState';
import { useOperationQuery } from '../../operations/useOperation';

const TYPING_PAUSE_MS = 120;

interface Estimate {
  answer: QuoteAnswer | null;
  error: OperationError | null;
  /** The form has changed since. */
  isLate: boolean;
}

/** The offline estimate of the current form, a moment after the last key. */
function useEstimate(): Estimate {
  const { quote, reference } = useWorkbench();
  const ready = findMissingFields(quote.form).length === 0 && findUnreadableFields(quote.form).length === 0;
  // Empty until the form can be answered, so that a half-typed line is never asked a moment later.
  const now = useMemo(
    () => (ready ? JSON.stringify(buildQuoteRequest(quote.form, reference)) : ''),
    [ready, quote.form, reference],
  );
  const request = useDeferredValue(useDebounced(now, TYPING_PAUSE_MS));
  const asked = useOperationQuery('quote_estimate', request === '' ? quote.form : JSON.parse(request), {
    enabled: ready && request !== '',
    keepPrevious: true,
    cacheMs: 60_000,
  });
  if (!ready) return { answer: null, error: null, isLate: false };
  const isLate = request !== now || asked.isPending || asked.isPlaceholderData;
  return { answer: asked.data ?? null, error: asked.error, isLate };
}

/** What the answer panel shows: the service's answer while the form is the one it answered, else the estimate. */
export function useShownAnswer() {
  const { quote } = useWorkbench();
  const estimate = useEstimate();
  const current = quote.answer !== null && quote.answeredQuestion === questionKey(quote.form);
  const shown = current ? quote.answer : estimate.answer;
  return {
    shown,
    isLate: !current && estimate.isLate,
    stale: quote.answer !== null && !current ? quote.answer : null,
    estimateError: current ? null : estimate.error,
  };
}

/** Gives the answer that is shown; where that is of the form as it was a moment ago, the estimate of the form as it is. */
export function useAnswerOfForm({ shown, isLate }: { shown: QuoteAnswer | null; isLate: boolean }) {
  const { quote, reference } = useWorkbench();
  const platform = usePlatform();
  return (): Promise<QuoteAnswer | null> =>
    isLate
      ? platform.call('quote_estimate', buildQuoteRequest(quote.form, reference)).catch(() => null)
      : Promise.resolve(shown);
}

/** Asks the service. Says what is missing first; afterwards the total is read out. */
export function useCalculateTaxes(): { calculate(): void; busy: boolean } {
  const { quote, change, reference } = useWorkbench();
  const client = useQueryClient();
  const { announce } = useToasts();
  const { mutate, isPending } = useOperationMutation('quote_calculate', ['status_show', ...QUOTE_QUERIES]);
  const calculate = () => {
    if (isPending) return;
    const errors = [...findMissingFields(quote.form), ...findUnreadableFields(quote.form)];
    if (errors.length > 0) {
      change({ do: 'failed', problem: null, errors });
      announce(
        `${errors.length === 1 ? 'Check 1 field' : `Check ${errors.length} fields`}: ${errors[0]?.message ?? ''}`,
      );
      return;
    }
    const form = questionKey(quote.form);
    mutate(buildQuoteRequest(quote.form, reference), {
      onSuccess: (answer) => {
        change({ do: 'answered', answer, form });
        announce(describeTotal(answer));
      },
      onError: (problem) => {
        const details = problem.boundary.details.map((detail) => ({
          ...detail,
          pointer: toFormPointer(detail.pointer, quote.form),
        }));
        change({ do: 'failed', problem, errors: details });
        void client.invalidateQueries({ queryKey: ['status_show'] });
      },
    });
  };
  return { calculate, busy: isPending };
}

function describeTotal(answer: QuoteAnswer): string {
  const credit = isCredit(answer.total) ? ', a credit' : '';
  const differs = answer.differences.length > 0 ? ' The estimate differs.' : '';
  return `${totalLabel(answer)} for ${answer.state_name} ${formatMoney(answer.total)}${credit}, taxes and state fees ${formatMoney(answer.taxes)}. Service, ${formatTime(answer.at)}.${differs}`;
}
