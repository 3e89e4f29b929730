import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';

import type { QuoteAnswer } from '../../bindings/operations';
import { usePlatform } from '../../operations/platform';
import { useNotices } from '../../operations/toasts';
import { useDo } from '../../operations/useOperation';
import type { OperationError } from '../../platform';
import { isCredit, showAmount } from '../../values/amount';
import { useWorkbench } from '../../workbench/Workbench';
import { formPointer, missing, requestOf, unreadable } from '../../workbench/quoteForm';
import { questionKey } from '../../workbench/quoteState';
import { timeOf } from '../../values/date';

const TYPING_PAUSE_MS = 120;

function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return useDeferredValue(paused);
}

/** The offline estimate of the form as it stands, a moment after the last key. */
export function useEstimate(): { answer: QuoteAnswer | null; error: OperationError | null } {
  const { quote, reference } = useWorkbench();
  const platform = usePlatform();
  const ready = missing(quote.form).length === 0 && unreadable(quote.form).length === 0;
  // Empty until the form can be answered, so that a half-typed line is never asked a moment later.
  const request = usePaused(
    useMemo(() => (ready ? JSON.stringify(requestOf(quote.form, reference)) : ''), [ready, quote.form, reference]),
  );
  const asked = useQuery<QuoteAnswer, OperationError>({
    queryKey: ['quote_estimate', request],
    queryFn: () => platform.call('quote_estimate', JSON.parse(request)),
    enabled: ready && request !== '',
    gcTime: 60_000,
    placeholderData: (previous) => previous,
  });
  return ready ? { answer: asked.data ?? null, error: asked.error } : { answer: null, error: null };
}

/** What the answer panel shows: the service's answer while the form is the one it answered, else the estimate. */
export function useShownAnswer() {
  const { quote } = useWorkbench();
  const estimate = useEstimate();
  const current = quote.answer !== null && quote.answered === questionKey(quote.form);
  const shown = current ? quote.answer : estimate.answer;
  return {
    shown,
    stale: quote.answer !== null && !current ? quote.answer : null,
    estimateError: current ? null : estimate.error,
  };
}

/** Asks the service. Says what is missing first; afterwards the total is read out. */
export function useGetTaxes(): { get(): void; busy: boolean } {
  const { quote, change, reference } = useWorkbench();
  const client = useQueryClient();
  const { say } = useNotices();
  const { mutate, isPending } = useDo('quote_calculate', ['status', 'quote_list']);
  const get = () => {
    if (isPending) return;
    const errors = [...missing(quote.form), ...unreadable(quote.form)];
    if (errors.length > 0) {
      change({ do: 'failed', problem: null, errors });
      say(
        `${errors.length === 1 ? 'One field needs' : `${errors.length} fields need`} a look: ${errors[0]?.message ?? ''}`,
      );
      return;
    }
    const form = questionKey(quote.form);
    mutate(requestOf(quote.form, reference), {
      onSuccess: (answer) => {
        change({ do: 'answered', answer, form });
        say(spokenTotal(answer));
      },
      onError: (problem) => {
        const details = problem.boundary.details.map((detail) => ({
          ...detail,
          pointer: formPointer(detail.pointer, quote.form),
        }));
        change({ do: 'failed', problem, errors: details });
        void client.invalidateQueries({ queryKey: ['status'] });
      },
    });
  };
  return { get, busy: isPending };
}

function spokenTotal(answer: QuoteAnswer): string {
  const credit = isCredit(answer.total) ? ', a credit' : '';
  const differs = answer.differences.length > 0 ? ' The estimate differs.' : '';
  return `Total due for ${answer.state_name} ${showAmount(answer.total)}${credit}, taxes and state fees ${showAmount(answer.taxes)}. Service, ${timeOf(answer.at)}.${differs}`;
}
