import { useState } from 'react';

import type { EraseRequest, EraseView } from '../../bindings/operations';
import { Button, Dialog, Field } from '../../components';
import { useOperationMutation } from '../../operations';
import { pluralize } from '../../values';

/** Erases an insured or a year, once the person has seen what goes. */
export function EraseDialog({ onClose }: { onClose(): void }) {
  const [insured, setInsured] = useState('');
  const [year, setYear] = useState('');
  const preview = useOperationMutation('data_erase_preview');
  const erasing = useOperationMutation('data_erase', 'everything');
  const request: EraseRequest = { insured: insured.trim(), year: Number(year) || 0 };
  const found = erasing.data ?? preview.data;
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    preview.reset();
  };
  const isSeen = preview.data !== undefined && preview.data.sending === 0;
  return (
    <Dialog
      title="Erase an insured or a year"
      bodyClass="stack loose"
      hasInput
      error={erasing.error ?? preview.error}
      onClose={onClose}
      onSubmit={() => preview.mutate(request)}
      foot={
        erasing.data ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" busy={preview.isPending}>
              Preview
            </Button>
            <Button
              look="danger"
              busy={erasing.isPending}
              disabledReason={!isSeen && 'Preview what will be erased first.'}
              onClick={() => erasing.mutate(request)}
            >
              Erase
            </Button>
          </>
        )
      }
    >
      {!erasing.data && (
        <>
          <Field
            label="Insured"
            pointer="/insured"
            value={insured}
            onChange={change(setInsured)}
            hint="The name as it was sent. Capitals and spaces don’t matter."
          />
          <Field
            label="Or a year"
            pointer="/year"
            inputMode="numeric"
            value={year}
            onChange={change(setYear)}
            hint="What was sent, received, quoted or drafted in it, and its transactions."
          />
        </>
      )}
      {found && <Erasure view={found} />}
    </Dialog>
  );
}

function Erasure({ view }: { view: EraseView }) {
  const counts = [
    [view.rows, 'row'],
    [view.documents, 'document of rows', 'documents of rows'],
    [view.uploads, 'upload'],
    [view.events, 'event'],
    [view.quotes, 'quote'],
    [view.drafts, 'draft'],
    [view.searches, 'saved search', 'saved searches'],
    [view.answers, 'response'],
    [view.transactions, 'transaction'],
  ] as const;
  const listed = counts.filter(([count]) => count > 0).map(([count, one, many]) => pluralize(count, one, many));
  return (
    <div role="status">
      <p>
        {view.proof === '' ? 'Will be erased: ' : 'Erased: '}
        {listed.length > 0 ? listed.join(', ') : 'nothing was found'}.
      </p>
      {view.sending > 0 && <p>{pluralize(view.sending, 'of them is', 'of them are')} still being sent: wait first.</p>}
      {view.unsearched_drafts > 0 && (
        <p>{pluralize(view.unsearched_drafts, 'draft isn’t', 'drafts aren’t')} searched: look into Batches.</p>
      )}
      {view.log_entries > 0 && (
        <p>{pluralize(view.log_entries, 'entry', 'entries')} of the audit log with the name can’t be erased.</p>
      )}
      {view.copies.length > 0 && <p>Still held by {view.copies.join(', ')}.</p>}
      {view.unseen !== '' && <p>{view.unseen}</p>}
      <p>
        The service keeps its own data: anything fetched from it again comes back.
        {view.proof === '' && ' This can’t be undone.'}
      </p>
      {view.proof !== '' && (
        <p>
          Proof of erasure; keep it: <code>{view.proof}</code>
        </p>
      )}
    </div>
  );
}
