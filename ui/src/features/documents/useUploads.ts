import { useEffect, useRef } from 'react';

import { useQueryClient } from '@tanstack/react-query';

import { useOperationQuery } from '../../operations';

const WORKING_MS = 500;
const RESTING_MS = 10_000;

/** The upload queue; polled often while something is being sent, and then what it changed is queried again. */
export function useUploads() {
  const client = useQueryClient();
  const queue = useOperationQuery(
    'documents_queue',
    {},
    {
      refetchEvery: (now) => (now && now.open > 0 ? WORKING_MS : RESTING_MS),
    },
  );
  const open = queue.data?.open;
  const before = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (before.current !== undefined && open !== undefined && open < before.current) {
      for (const name of ['documents_missing', 'transaction_documents', 'due_list'])
        void client.invalidateQueries({ queryKey: [name] });
    }
    before.current = open;
  }, [open, client]);
  return queue;
}
