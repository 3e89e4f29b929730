import type { ReviewSummary } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { ErrorBox } from '../../../components/ErrorBox';
import { useToasts } from '../../../operations/toasts';
import { useOperationMutation } from '../../../operations/useOperation';

export function DiscardDraftDialog({ draft, onClose }: { draft: ReviewSummary; onClose(): void }) {
  const { mutate, error } = useOperationMutation('review_close', ['review_list']);
  const { showToast } = useToasts();
  const discard = () =>
    mutate(
      { id: draft.id },
      {
        onSuccess: () => {
          showToast(`Discarded ${draft.name}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog title="Discard this draft?" onClose={onClose}>
      <div className="dialog-body">
        {error && <ErrorBox error={error} />}
        <p>
          Your corrections in “{draft.name}” will be lost. The original file isn’t changed, and nothing changes at the
          service.
        </p>
      </div>
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep draft</Button>
        <Button look="danger" onClick={discard}>
          Discard
        </Button>
      </div>
    </Dialog>
  );
}
