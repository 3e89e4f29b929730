import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { FormsRequest } from '../../../bindings/operations';
import { useDebounced } from '../../../components';
import { isDate } from '../../../values';
import { blankRequest } from './formsRequest';
import { useOperationQuery } from '../../../operations/useOperation';

const CHECK_PAUSE_MS = 250;
const DRAFT_KEY = ['diligent', 'typed'];

export interface DiligentDraft {
  request: FormsRequest;
  transaction: string;
}

/** What was typed; it stays while other views are on screen. */
export function useDiligentDraft(
  today: string,
): [DiligentDraft, (next: (old: DiligentDraft) => DiligentDraft) => void] {
  const client = useQueryClient();
  const [typed, set] = useState<DiligentDraft>(
    () => client.getQueryData<DiligentDraft>(DRAFT_KEY) ?? { request: blankRequest(today), transaction: '' },
  );
  useEffect(() => {
    client.setQueryDefaults(DRAFT_KEY, { gcTime: Infinity });
    client.setQueryData(DRAFT_KEY, typed);
  }, [client, typed]);
  return [typed, set];
}

/** What the state asks for and offers. */
export function useFormsOffer({ state, transaction_type, policy_effective_date, ecp, export_list }: FormsRequest) {
  const question = { state, transaction_type, policy_effective_date, ecp, export_list };
  const enabled = state !== '' && isDate(policy_effective_date);
  const offer = useOperationQuery('form_list', question, { enabled, keepPrevious: true });
  // Until the next answer is here the last one stays, but not that of another state.
  return offer.data && offer.data.state !== state ? { ...offer, data: undefined } : offer;
}

/** What is not in order, after a pause in typing. */
export const useFormsCheck = (request: FormsRequest, enabled: boolean) =>
  useOperationQuery('form_check', useDebounced(request, CHECK_PAUSE_MS), { enabled, keepPrevious: true, cacheMs: 0 });
