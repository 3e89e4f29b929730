import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { FixOutcome, ReviewView } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { ErrorBox } from '../../../components/ErrorBox';
import { TableHead } from '../../../components/TableHead';
import { usePlatform } from '../../../operations/platform';
import { useToasts } from '../../../operations/toasts';
import { useOperationMutation } from '../../../operations/useOperation';
import type { OperationError } from '../../../platform';
import { formatShortcut } from '../../../values/shortcuts';
import { formatCount } from '../../../values/count';

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
  const platform = usePlatform();
  const { showToast } = useToasts();
  const [attempt] = useState(() => Date.now());
  const preview = useQuery<FixOutcome, OperationError>({
    queryKey: ['review_fix', id, code, fix, attempt],
    queryFn: () => platform.call('review_fix', { id, code, fix, row: null, preview: true }),
    gcTime: 0,
  });
  const applying = useOperationMutation('review_fix');
  const apply = () =>
    applying.mutate(
      { id, code, fix, row: null, preview: false },
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
    <Dialog title={title} wide onClose={onClose}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Changes">
        {error && <ErrorBox error={error} />}
        {preview.data && <FixPreview outcome={preview.data} />}
        {preview.isPending && <p>Working…</p>}
        {preview.data?.total === 0 && <p>Nothing to change.</p>}
      </div>
      <div className="dialog-foot">
        {applying.isPending && (
          <span className="quiet-text" role="status">
            Working…
          </span>
        )}
        <span className="spring" />
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          disabledReason={why}
          onClick={apply}
        >
          {preview.data ? `Apply to ${formatCount(preview.data.total)}` : 'Apply'}
        </Button>
      </div>
    </Dialog>
  );
}

function FixPreview({ outcome }: { outcome: FixOutcome }) {
  const more = outcome.total - outcome.changes.length;
  return (
    <>
      <p>You can undo all of it with {formatShortcut('Mod+Z')}.</p>
      <table className="changes" aria-label="Changes">
        <TableHead columns={['Row', 'Column', 'Before', 'After']} />
        <tbody>
          {outcome.changes.map((change) => (
            <tr key={`${change.line} ${change.header}`}>
              <td className="num">{formatCount(change.line)}</td>
              <td>{change.header || 'whole row'}</td>
              <td>
                {change.before || <span className="quiet-text">{change.header === '' ? 'included' : 'empty'}</span>}
              </td>
              <td>
                <b>{change.header === '' ? 'excluded' : change.after || 'empty'}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className="quiet-text">and {formatCount(more)} more like this</p>}
    </>
  );
}
