import { useState } from 'react';

import type { BatchLookup, LookedUpRow } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { DataTable } from '../../../components';
import { WordTag } from '../../../components/Tag';
import { useOperationMutation } from '../../../operations/useOperation';
import { pluralize } from '../../../values/count';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { ROW_STATE_LABELS } from '../batchLabels';

/** Results of a batch by the service’s own number: from a portal, a colleague or an event. */
export function BatchLookupDialog({ onClose }: { onClose(): void }) {
  const [number, setNumber] = useState('');
  const lookup = useOperationMutation('batch_lookup', ['status_show']);
  const ask = () => {
    if (number.trim() !== '') lookup.mutate({ number });
  };
  const fault = lookup.error?.boundary.details.find((detail) => detail.pointer === '/number')?.message;
  return (
    <Dialog
      title="Look up a batch"
      hasInput
      onClose={onClose}
      bodyClass="stack loose"
      error={!fault && lookup.error}
      onSubmit={ask}
      action={{
        label: 'Look up',
        cancel: 'Close',
        disabledReason: lookup.isPending ? 'Working…' : number.trim() === '' && 'Enter the batch number first.',
      }}
    >
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label="Batch number"
        hint="As the service shows it, e.g. in its portal or in an event. Any batch of the account, whoever sent it."
        value={number}
        error={fault}
        onChange={setNumber}
      />
      {lookup.data && <FoundBatch found={lookup.data} onClose={onClose} />}
    </Dialog>
  );
}

function FoundBatch({ found, onClose }: { found: BatchLookup; onClose(): void }) {
  const { goTo } = useBatchPlace();
  const { batch } = found;
  return (
    <section className="stack" aria-label={`Batch ${found.number}`}>
      <p role="status">
        <b>{found.status}</b> at {found.profile}, {pluralize(found.total, 'transaction')}.{' '}
        {batch === null ? (
          'Not sent from this computer.'
        ) : (
          <Button
            small
            onClick={() => {
              onClose();
              goTo({ at: 'batch', id: batch });
            }}
          >
            Open the batch sent from here
          </Button>
        )}
      </p>
      {found.rows.length > 0 && (
        <div className="scrolls looked-up">
          <DataTable label="Transactions of the batch" columns={['Policy', 'Result', 'Transaction', 'Messages']}>
            {found.rows.map((row) => (
              <FoundRow key={`${row.id} ${row.policy_number} ${row.transaction_id}`} row={row} />
            ))}
          </DataTable>
        </div>
      )}
      {found.total > found.rows.length && <p>The first {found.rows.length} are shown.</p>}
      {found.unreadable > 0 && <p>{pluralize(found.unreadable, 'entry', 'entries')} could not be read.</p>}
    </section>
  );
}

function FoundRow({ row }: { row: LookedUpRow }) {
  return (
    <tr>
      <td>
        {row.policy_number || <span className="quiet-text">none</span>}
        {row.id !== '' && <span className="quiet-text"> {row.id}</span>}
      </td>
      <td>
        <WordTag of={ROW_STATE_LABELS[row.row_state]} />
      </td>
      <td>{row.transaction_id ?? ''}</td>
      <td>{row.messages.map((message) => message.text).join(' ')}</td>
    </tr>
  );
}
