import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { FormsCheck, FormsOffer, FormsRequest } from '../../../bindings/operations';
import { useDebounced } from '../../../components/useDebounced';
import { usePlatform } from '../../../operations/platform';
import type { OperationError } from '../../../platform';
import { isDate } from '../../../values/date';
import { blankRequest } from './formsRequest';

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
export function useFormsOffer(request: FormsRequest) {
  const platform = usePlatform();
  const { state, transaction_type, policy_effective_date, ecp, export_list } = request;
  const question = { state, transaction_type, policy_effective_date, ecp, export_list };
  return useQuery<FormsOffer, OperationError>({
    queryKey: ['forms_list', question],
    queryFn: () => platform.call('forms_list', question),
    enabled: state !== '' && isDate(policy_effective_date),
    placeholderData: (previous) => (previous?.state === state ? previous : undefined),
  });
}

/** What is not in order, after a pause in typing. */
export function useFormsCheck(request: FormsRequest, enabled: boolean) {
  const platform = usePlatform();
  const asked = useDebounced(request, CHECK_PAUSE_MS);
  return useQuery<FormsCheck, OperationError>({
    queryKey: ['forms_check', asked],
    queryFn: () => platform.call('forms_check', asked),
    enabled,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });
}
