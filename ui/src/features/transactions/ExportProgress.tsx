import { useRef, useState } from 'react';

import type { ExportState, TableFormat, TransactionsSearch } from '../../bindings/operations';
import { Button } from '../../components';
import { useOperationAction, useOperationQuery, usePlatform, useToasts } from '../../operations';
import { formatCount } from '../../values';

const WORKING_MS = 250;
const RESTING_MS = 60_000;

interface ExportControl {
  /** A file is asked for or being written. */
  busy: boolean;
  /** The file that is being written; null while none is. */
  state: ExportState | null;
  save(format: TableFormat): void;
  cancel(): void;
}

/** What a search finds as a file: the person says where, then it is written, watched, and can be canceled. */
export function useExport(search: TransactionsSearch, columns: string[]): ExportControl {
  const platform = usePlatform();
  const [asked, setAsked] = useState(false);
  const isCanceled = useRef(false);
  const canceling = useOperationAction('transactions_export_cancel', ['transactions_export_state']);
  const { showToast, showError } = useToasts();
  const watched = useOperationQuery(
    'transactions_export_state',
    {},
    {
      alwaysRefetch: true,
      refetchEvery: (now) => (asked || (now && now.stage !== 'idle') ? WORKING_MS : RESTING_MS),
    },
  );
  // Also one that was begun before this view was left.
  const state = watched.data && watched.data.stage !== 'idle' ? watched.data : null;
  const save = (format: TableFormat) => {
    if (asked || state) return;
    setAsked(true);
    isCanceled.current = false;
    void watched.refetch();
    // A toast, as another view may be open by then.
    platform
      .call('transactions_export', { search, format, columns })
      .then((file) => {
        if (file.saved) showToast(`Saved ${file.file_name}.`);
        else if (isCanceled.current) showToast('Export canceled. No file was saved.');
      }, showError)
      .finally(() => {
        setAsked(false);
        void watched.refetch();
      });
  };
  return {
    busy: asked || state !== null,
    state,
    save,
    cancel: () => {
      isCanceled.current = true;
      canceling.mutate({});
    },
  };
}

/** How far the file is. */
export function ExportProgress({ state, onCancel }: { state: ExportState; onCancel(): void }) {
  const packing = state.stage === 'packing';
  return (
    <span className="in-line">
      <progress
        aria-label="Export progress"
        {...(packing ? {} : { max: Math.max(1, state.rows), value: state.done })}
      />
      <span className="quiet-text">
        {packing ? 'Compressing…' : `${formatCount(state.done)} of ${formatCount(state.rows)} rows written`}
      </span>
      <Button small onClick={onCancel}>
        Cancel export
      </Button>
    </span>
  );
}
