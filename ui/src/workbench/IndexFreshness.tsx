import type { AutoRefresh, TransactionsOverview } from '../bindings/operations';
import { useOperationQuery } from '../operations';
import { formatWhen } from '../values';
import { useWorkbench } from './Workbench';

const AUTO_REFRESH_NOTES: Record<AutoRefresh, string> = {
  on: ', checked every 5 minutes',
  stopped: ', automatic updates stopped',
  off: '',
};

interface Freshness {
  overview: TransactionsOverview | undefined;
  running?: boolean;
}

/** How fresh the transactions on this computer are. */
export function IndexFreshness({ overview, running = false }: Freshness) {
  const { reference } = useWorkbench();
  if (!overview) return null;
  if (running) return 'updating now';
  const when =
    overview.fresh_at === '' ? 'not loaded yet' : `updated ${formatWhen(overview.fresh_at, reference.today)}`;
  return when + AUTO_REFRESH_NOTES[overview.auto_refresh];
}

/** The note of a view whose content follows from the transactions on this computer: its own words, then how fresh they are. */
export function FreshnessNote({ note }: { note: string }) {
  const overview = useOperationQuery('transactions_overview', {}, { alwaysRefetch: true, refetchEvery: 10_000 });
  return (
    <>
      {note}
      {note !== '' && overview.data && ', '}
      {overview.data && (note === '' ? 'Transactions ' : 'transactions ')}
      <IndexFreshness overview={overview.data} />
    </>
  );
}
