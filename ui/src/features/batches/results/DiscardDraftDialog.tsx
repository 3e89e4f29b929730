import type { ReviewSummary } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Problem } from '../../../components/ErrorBox';
import { useNotices } from '../../../operations/toasts';
import { useDo } from '../../../operations/useOperation';

export function DiscardDialog({ draft, onClose }: { draft: ReviewSummary; onClose(): void }) {
  const { mutate, error } = useDo('review_close', ['review_list']);
  const { tell } = useNotices();
  const discard = () =>
    mutate(
      { id: draft.id },
      {
        onSuccess: () => {
          tell(`Discarded ${draft.name}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog title="Discard this draft?" onClose={onClose}>
      <div className="dialog-body">
        {error && <Problem error={error} />}
        <p>
          The corrections made in “{draft.name}” are lost. The file itself stays as it is, and nothing changes at the
          service.
        </p>
      </div>
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" onClick={discard}>
          Discard
        </Button>
      </div>
    </Dialog>
  );
}
