import { Dialog, RawText } from '../../components';
import { useFileSave, useOperationQuery } from '../../operations';

/** What helps to find a fault, read before it is shared. */
export function DiagnosticsDialog({ onClose }: { onClose(): void }) {
  const diagnostics = useOperationQuery('diagnostics_show', {}, { cacheMs: 0 });
  const saving = useFileSave('diagnostics_save');
  return (
    <Dialog
      title="Diagnostics"
      onClose={onClose}
      error={diagnostics.error}
      onRetry={diagnostics.refetch}
      action={{ label: 'Save as file', cancel: 'Close', busy: saving.isPending, onClick: () => saving.save({}) }}
    >
      <p>Versions, states, and counts, without names, amounts, and keys. Read it before you share it.</p>
      {diagnostics.data && <RawText label="Diagnostics" text={diagnostics.data.text} />}
    </Dialog>
  );
}
