import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { useOperationQuery, useToasts } from '../../operations';

/** The core looks at the folder as often. */
const LOOK_MS = 5000;

/** Tells of each new file of the watched folder, in whatever view the person is. */
export function useWatchNews(): void {
  const arrivals = useOperationQuery('watch_state', {}, { refetchEvery: LOOK_MS }).data?.arrivals;
  const client = useQueryClient();
  const { showToast } = useToasts();
  const told = useRef<number | null>(null);
  useEffect(() => {
    if (!arrivals) return;
    const newest = arrivals[0]?.number ?? 0;
    const before = told.current;
    told.current = newest;
    if (before === null || newest <= before) return;
    for (const name of ['review_list', 'today_show']) void client.invalidateQueries({ queryKey: [name] });
    for (const arrival of arrivals.filter(({ number }) => number > before).toReversed())
      showToast(
        arrival.problem === ''
          ? `${arrival.name} arrived in the watched folder and is a draft under Batches.`
          : `${arrival.name} arrived in the watched folder and cannot be read. ${arrival.problem}`,
      );
  }, [arrivals, client, showToast]);
}
