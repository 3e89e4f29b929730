import { useEffect, useState } from 'react';

import type { DocumentMatch, DocumentsOutcome, ReviewView } from '../../../bindings/operations';
import { Button, DataTable, Dialog } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { formatCount } from '../../../values';

const MOST = 200;

interface Props {
  review: ReviewView;
  onDone(review: ReviewView): void;
  onClose(): void;
}

/** Documents matched to rows by name: shown before they are attached. */
export function AttachDocumentsDialog({ review, onDone, onClose }: Props) {
  const { documents: handles } = useBatchPlace();
  const [outcome, setOutcome] = useState<DocumentsOutcome | null>(null);
  const { mutate, error, isPending } = useOperationMutation('review_documents');
  const { showToast } = useToasts();
  const ask = (attach: boolean) =>
    mutate(
      { id: review.id, handles, attach },
      {
        onSuccess: (found) => {
          setOutcome(found);
          if (!attach) return;
          onDone(found.review);
          showToast(
            found.matched.length === 1
              ? 'Attached 1 document.'
              : `Attached ${formatCount(found.matched.length)} documents.`,
          );
          onClose();
        },
      },
    );
  useEffect(() => {
    if (handles.length > 0) mutate({ id: review.id, handles, attach: false }, { onSuccess: setOutcome });
  }, [handles, review.id, mutate]);
  const found = outcome && outcome.matched.length + outcome.unmatched.length > 0 ? outcome : null;
  const reading = isPending && 'Working…';
  return (
    <Dialog
      title="Documents"
      wide
      onClose={onClose}
      scrollLabel="Documents and rows"
      error={error}
      foot={
        <Button disabledReason={reading} onClick={() => ask(false)}>
          {found ? 'Change folder…' : 'Choose folder…'}
        </Button>
      }
      action={{
        label: found ? `Attach ${formatCount(found.matched.length)}` : 'Attach',
        autoFocus: handles.length > 0,
        disabledReason: reading || (!found?.matched.length && 'No documents matched yet.'),
        onClick: () => ask(true),
      }}
    >
      {found ? (
        <>
          <MatchTable title="Matched" matches={found.matched} />
          <MatchTable title="Not matched" matches={found.unmatched} />
        </>
      ) : (
        <p role="status">
          {isPending
            ? 'Reading documents…'
            : `${formatCount(review.documents_matched)} of ${formatCount(review.counts.transactions)} transactions have documents. Choose a folder, or drop one on the window. Files are matched by policy number, invoice number, or a documents.csv in the folder. Nothing is attached until you confirm.`}
        </p>
      )}
    </Dialog>
  );
}

function MatchTable({ title, matches }: { title: string; matches: DocumentMatch[] }) {
  if (matches.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title}: {formatCount(matches.length)}
      </h3>
      <DataTable label={title} columns={['File', 'Type', 'Policy', 'Reason', 'Content']}>
        {matches.slice(0, MOST).map((match) => (
          <tr key={`${match.sha256} ${match.file_name}`}>
            <td>{match.file_name}</td>
            <td>{match.code}</td>
            <td>{match.policy_number}</td>
            <td>{match.reason}</td>
            <td className="quiet-text" title={`SHA-256 ${match.sha256}`}>
              {Math.max(1, Math.round(match.bytes / 1024))} KB, {match.sha256.slice(0, 8)}
            </td>
          </tr>
        ))}
      </DataTable>
      {matches.length > MOST && <p className="quiet-text">and {formatCount(matches.length - MOST)} more</p>}
    </section>
  );
}
