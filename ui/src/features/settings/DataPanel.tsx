import { useState } from 'react';

import type { BackupView, DataSafety } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorBox } from '../../components/ErrorBox';
import { TableHead } from '../../components/TableHead';
import { useOperationAction } from '../../operations/useOperationAction';
import { useOperationMutation, useOperationQuery } from '../../operations/useOperation';
import { useToasts } from '../../operations/toasts';
import { formatBytes } from '../../values/bytes';
import { pluralize } from '../../values/count';
import { formatTimestamp } from '../../values/date';

const REFRESH: ['backup_list'] = ['backup_list'];

/** Backups, checks of the data file, and everything as open files. */
export function DataPanel() {
  const safety = useOperationQuery('backup_list', {}, { alwaysRefetch: true });
  const making = useOperationMutation('backup_make', REFRESH);
  const checking = useOperationMutation('data_check', REFRESH);
  const exporting = useOperationMutation('data_export');
  const { showToast } = useToasts();
  if (safety.error) return <ErrorBox error={safety.error} onAction={() => void safety.refetch()} />;
  if (!safety.data) return null;
  const error = making.error ?? checking.error ?? exporting.error;
  const save = () =>
    exporting.mutate(
      {},
      {
        onSuccess: (done) =>
          done.saved &&
          showToast(
            `Saved ${done.folder_name}: ${pluralize(done.tables, 'table')} and ${pluralize(done.documents, 'document')}.`,
          ),
      },
    );
  return (
    <section className="card card-body" aria-label="Data and backups">
      <h2>Data and backups</h2>
      <DataWarnings safety={safety.data} />
      <p>
        A backup is made each day Bordereau is open, and checked. Fourteen are kept in the data folder. Copy them to
        another disk to be safe from the loss of this one.
      </p>
      <p className="told">{safety.data.sealing}</p>
      <p className="told">
        {safety.data.checked_at === ''
          ? 'The data file hasn’t been checked from end to end yet.'
          : `The data file was last checked from end to end ${formatTimestamp(safety.data.checked_at)}.`}
      </p>
      {error && <ErrorBox error={error} />}
      <div className="buttons">
        <Button
          look="primary"
          disabledReason={making.isPending && 'Working…'}
          onClick={() => making.mutate({}, { onSuccess: () => showToast('Backup made and checked.') })}
        >
          Back up now
        </Button>
        <Button
          disabledReason={checking.isPending && 'Working…'}
          onClick={() => checking.mutate({}, { onSuccess: () => showToast('The data file is sound.') })}
        >
          Check data file
        </Button>
        <Button disabledReason={exporting.isPending && 'Working…'} onClick={save}>
          Export everything
        </Button>
      </div>
      {safety.data.backups.length > 0 && <BackupTable backups={safety.data.backups} />}
    </section>
  );
}

/** What endangers the data, and what to do about it. */
function DataWarnings({ safety }: { safety: DataSafety }) {
  const confirming = useOperationAction('only_copy_confirm', REFRESH);
  const [asked, setAsked] = useState(false);
  return (
    <>
      {[safety.damage, safety.obstacle].map(
        (text) =>
          text !== '' && (
            <p key={text} role="alert">
              {text}
            </p>
          ),
      )}
      {safety.staged && <p role="status">The backup takes its place when you close Bordereau and open it again.</p>}
      {safety.copied_at !== '' && (
        <div className="problem-box" role="status">
          <p>
            Since {formatTimestamp(safety.copied_at)} this data folder is known as a copy or a restored backup. Everything
            is looked up at the service before it is sent, which may take 35 minutes.
          </p>
          <Button onClick={() => setAsked(true)}>No other copy sends</Button>
        </div>
      )}
      {asked && (
        <Dialog title="No other copy sends?" onClose={() => setAsked(false)}>
          <p>Rows and documents that another copy has sent would be sent twice.</p>
          <div className="buttons">
            <Button look="primary" onClick={() => confirming.mutate({}, { onSuccess: () => setAsked(false) })}>
              Send without looking up
            </Button>
            <Button onClick={() => setAsked(false)}>Keep looking up</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function BackupTable({ backups }: { backups: BackupView[] }) {
  const [restoring, setRestoring] = useState<BackupView | null>(null);
  return (
    <>
      <table aria-label="Backups">
        <TableHead columns={['Made', { num: 'Size' }, 'Sealed', { hidden: 'Actions' }]} />
        <tbody>
          {backups.map((backup) => (
            <BackupRow key={backup.name} backup={backup} onRestore={() => setRestoring(backup)} />
          ))}
        </tbody>
      </table>
      {restoring && <RestoreDialog backup={restoring} onClose={() => setRestoring(null)} />}
    </>
  );
}

function BackupRow({ backup, onRestore }: { backup: BackupView; onRestore(): void }) {
  const checking = useOperationAction('backup_check');
  const { showToast } = useToasts();
  const when = formatTimestamp(backup.made_at);
  const check = () =>
    checking.mutate(
      { name: backup.name },
      { onSuccess: (found) => showToast(`The backup is sound: ${pluralize(found.batches, 'batch', 'batches')}.`) },
    );
  return (
    <tr>
      <td>{when}</td>
      <td className="num">{formatBytes(backup.bytes)}</td>
      <td>{backup.sealed ? 'sealed' : 'not sealed'}</td>
      <td className="row-actions">
        <Button small aria-label={`Check the backup of ${when}`} disabledReason={checking.isPending && 'Working…'} onClick={check}>
          Check
        </Button>
        <Button small aria-label={`Restore the backup of ${when}`} onClick={onRestore}>
          Restore…
        </Button>
      </td>
    </tr>
  );
}

function RestoreDialog({ backup, onClose }: { backup: BackupView; onClose(): void }) {
  const restoring = useOperationMutation('backup_restore', REFRESH);
  const { showToast } = useToasts();
  const restore = () =>
    restoring.mutate(
      { name: backup.name },
      {
        onSuccess: () => {
          showToast('Close Bordereau and open it again: the backup takes its place then.');
          onClose();
        },
      },
    );
  return (
    <Dialog title={`Restore the backup of ${formatTimestamp(backup.made_at)}?`} onClose={onClose}>
      <p>
        What was done since isn’t in it. The data file of now is kept beside it for 30 days. What the backup believes
        unsent is looked up at the service before it is sent.
      </p>
      {restoring.error && <ErrorBox error={restoring.error} />}
      <div className="buttons">
        <Button look="primary" disabledReason={restoring.isPending && 'Working…'} onClick={restore}>
          Restore
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
