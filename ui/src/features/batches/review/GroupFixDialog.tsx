import type { ReviewView } from '../../../bindings/operations';
import { Dialog } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { formatCount, formatShortcut, pluralize } from '../../../values';
import { useOperationQuery } from '../../../operations/useOperation';
import { FixPreview } from './FixPreview';

interface Props {
  id: string;
  title: string;
  code: string;
  fix: string;
  label: string;
  onDone(review: ReviewView): void;
  onClose(): void;
}

/** What a repair of a whole group would change, before it does. */
export function GroupFixDialog({ id, title, code, fix, label, onDone, onClose }: Props) {
  const { showToast } = useToasts();
  const request = { id, code, fix, row: null };
  // Of the rows as they are now, whatever was shown before.
  const preview = useOperationQuery('review_fix', { ...request, preview: true }, { cacheMs: 0, alwaysRefetch: true });
  const applying = useOperationMutation('review_fix');
  const apply = () =>
    applying.mutate(
      { ...request, preview: false },
      {
        onSuccess: (outcome) => {
          onDone(outcome.review);
          showToast(`${label}: ${formatCount(outcome.total)} changed. Undo with ${formatShortcut('Mod+Z')}.`);
          onClose();
        },
      },
    );
  const error = preview.error ?? applying.error;
  const why = applying.isPending
    ? 'Working…'
    : preview.isPending
      ? 'Working…'
      : (preview.data?.total ?? 0) === 0 && 'Nothing to change.';
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      scrollLabel="Changes"
      error={error}
      foot={
        applying.isPending && (
          <span className="quiet-text" role="status">
            Working…
          </span>
        )
      }
      action={{
        label: preview.data ? `Apply ${pluralize(preview.data.total, 'change')}` : 'Apply',
        autoFocus: true,
        disabledReason: why,
        onClick: apply,
      }}
    >
      {preview.data && <FixPreview outcome={preview.data} />}
      {preview.isPending && <p>Working…</p>}
      {preview.data?.total === 0 && <p>Nothing to change.</p>}
    </Dialog>
  );
}
