import { useState } from 'react';

import type { BackupView, DataSafety } from '../../bindings/operations';
import { Button, ConfirmDialog, DataTable, Dialog, ErrorBox, Field, QueryError } from '../../components';
import { useOperationAction, useOperationMutation, useOperationQuery, useToasts } from '../../operations';
import { useOfficePeople } from '../../workbench/Assignment';
import { EraseDialog } from './EraseDialog';
import { RetentionDialog } from './RetentionDialog';
import { formatBytes, formatTimestamp, pluralize } from '../../values';

const REFRESH: ['backup_list'] = ['backup_list'];

/** Backups, checks of the data file, and everything as open files. */
export function DataPanel() {
  const safety = useOperationQuery('backup_list', {}, { alwaysRefetch: true });
  const making = useOperationMutation('backup_make', REFRESH);
  const checking = useOperationMutation('data_check', REFRESH);
  const exporting = useOperationMutation('data_export');
  const { showToast } = useToasts();
  const [open, setOpen] = useState<'erase' | 'retention' | null>(null);
  if (safety.error) return <QueryError of={safety} />;
  if (!safety.data) return null;
  const { backups, sealing, checked_at } = safety.data;
  const error = making.error ?? checking.error ?? exporting.error;
  const save = () =>
    exporting.mutate(
      {},
      {
        onSuccess: ({ saved, folder_name, tables, documents }) =>
          saved &&
          showToast(`Saved ${folder_name}: ${pluralize(tables, 'table')} and ${pluralize(documents, 'document')}.`),
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
      <p className="told">{sealing}</p>
      <p className="told">
        {checked_at === ''
          ? 'The data file hasn’t been checked from end to end yet.'
          : `The data file was last checked from end to end ${formatTimestamp(checked_at)}.`}
      </p>
      {error && <ErrorBox error={error} />}
      <div className="buttons">
        <Button
          look="primary"
          busy={making.isPending}
          onClick={() => making.mutate({}, { onSuccess: () => showToast('Backup made and checked.') })}
        >
          Back up now
        </Button>
        <Button
          busy={checking.isPending}
          onClick={() => checking.mutate({}, { onSuccess: () => showToast('The data file is sound.') })}
        >
          Check data file
        </Button>
        <Button busy={exporting.isPending} onClick={save}>
          Export everything
        </Button>
        <Button onClick={() => setOpen('retention')}>How long data stays…</Button>
        <Button onClick={() => setOpen('erase')}>Erase…</Button>
      </div>
      {backups.length > 0 && <BackupTable backups={backups} />}
      <Encryption safety={safety.data} />
      <RecoveryKey safety={safety.data} />
      {open === 'erase' && <EraseDialog onClose={() => setOpen(null)} />}
      {open === 'retention' && <RetentionDialog onClose={() => setOpen(null)} />}
    </section>
  );
}

/** What endangers the data, and what to do about it. */
function DataWarnings({ safety }: { safety: DataSafety }) {
  const [isAsked, setAsked] = useState(false);
  const isOffice = useOfficePeople() !== null;
  return (
    <>
      {safety.damage !== '' && <p role="alert">{safety.damage}</p>}
      {safety.obstacle !== '' && <p role="alert">{safety.obstacle}</p>}
      {safety.exposure !== '' && <p role="alert">{safety.exposure}</p>}
      {safety.staged && <p role="status">The backup takes its place when you close Bordereau and open it again.</p>}
      {safety.copied_at !== '' && (
        <div role="status">
          <p>
            Since {formatTimestamp(safety.copied_at)}{' '}
            {isOffice
              ? 'the office database was restored, or is another one.'
              : 'this data folder is known as a copy or a restored backup.'}{' '}
            Everything is looked up at the service before it is sent, which may take 35 minutes.
          </p>
          <Button onClick={() => setAsked(true)}>No other copy sends</Button>
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          title="No other copy sends?"
          keep="Keep looking up"
          act="Send without looking up"
          operation="only_copy_confirm"
          request={{}}
          refresh={REFRESH}
          done="Nothing is looked up first any more."
          onClose={() => setAsked(false)}
        >
          Rows and documents that another copy{isOffice && ' of the office database'} has sent would be sent twice.
        </ConfirmDialog>
      )}
    </>
  );
}

/** Whether the files of the data folder can be read by others, and how that is changed. */
function Encryption({ safety }: { safety: DataSafety }) {
  const [isAsked, setAsked] = useState(false);
  const encrypting = useOperationMutation('data_encrypt', REFRESH);
  const { showToast } = useToasts();
  const wanted = safety.encryption === 'on' || safety.encryption === 'begins_next';
  return (
    <>
      <h3>Encryption</h3>
      <p>{safety.encryption_text}</p>
      {encrypting.error && <ErrorBox error={encrypting.error} />}
      <div className="buttons">
        {wanted ? (
          <Button onClick={() => setAsked(true)}>Stop encrypting…</Button>
        ) : (
          <Button
            busy={encrypting.isPending}
            disabledReason={!safety.has_keychain && safety.encryption_text}
            onClick={() => encrypting.mutate({}, { onSuccess: () => showToast('Close Bordereau and open it again.') })}
          >
            Encrypt the data folder
          </Button>
        )}
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Stop encrypting the data folder?"
          keep="Keep encrypting"
          act="Stop encrypting"
          operation="data_decrypt"
          request={{}}
          refresh={REFRESH}
          done="Close Bordereau and open it again."
          onClose={() => setAsked(false)}
        >
          Anyone who can read the data folder can then read the data.
        </ConfirmDialog>
      )}
    </>
  );
}

function BackupTable({ backups }: { backups: BackupView[] }) {
  const [restoring, setRestoring] = useState<BackupView | null>(null);
  return (
    <>
      <DataTable label="Backups" columns={['Made', { num: 'Size' }, 'Sealed', { hidden: 'Actions' }]}>
        {backups.map((backup) => (
          <BackupRow key={backup.name} backup={backup} onRestore={() => setRestoring(backup)} />
        ))}
      </DataTable>
      {restoring && (
        <ConfirmDialog
          title={`Restore the backup of ${formatTimestamp(restoring.made_at)}?`}
          keep="Cancel"
          act="Restore"
          operation="backup_restore"
          request={{ name: restoring.name }}
          refresh={REFRESH}
          done="Close Bordereau and open it again to finish restoring the backup."
          onClose={() => setRestoring(null)}
        >
          Work done since then isn’t in it. The current data file is kept for 30 days. Anything unsent in the backup is
          looked up at the service before it is sent.
        </ConfirmDialog>
      )}
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
      { onSuccess: ({ batches }) => showToast(`The backup is sound: ${pluralize(batches, 'batch', 'batches')}.`) },
    );
  return (
    <tr>
      <td>{when}</td>
      <td className="num">{formatBytes(backup.bytes)}</td>
      <td>{backup.sealed ? 'sealed' : 'not sealed'}</td>
      <td className="row-actions">
        <Button small aria-label={`Check the backup of ${when}`} busy={checking.isPending} onClick={check}>
          Check
        </Button>
        <Button small aria-label={`Restore the backup of ${when}`} onClick={onRestore}>
          Restore…
        </Button>
      </td>
    </tr>
  );
}

/** Backups from another computer, and the key that opens those of this one elsewhere. */
function RecoveryKey({ safety }: { safety: DataSafety }) {
  const [isRestoring, setRestoring] = useState(false);
  const saving = useOperationMutation('recovery_key_save', REFRESH);
  const { showToast } = useToasts();
  const save = () =>
    saving.mutate(
      {},
      {
        onSuccess: ({ saved, file_name }) => saved && showToast(`Saved ${file_name}. Keep it away from the backups.`),
      },
    );
  return (
    <>
      <h3>Recovery key</h3>
      <p>
        {safety.recovery_key_saved_at === ''
          ? 'If this computer or its keychain is lost, only the recovery key opens sealed backups and an encrypted data folder. It hasn’t been saved.'
          : `The recovery key was saved ${formatTimestamp(safety.recovery_key_saved_at)}. It opens sealed backups and this data folder on any computer.`}
      </p>
      {saving.error && <ErrorBox error={saving.error} />}
      <div className="buttons">
        <Button busy={saving.isPending} disabledReason={!safety.has_keychain && safety.sealing} onClick={save}>
          Save recovery key…
        </Button>
        <Button onClick={() => setRestoring(true)}>Restore a backup from a file…</Button>
      </div>
      {isRestoring && <RestoreFileDialog onClose={() => setRestoring(false)} />}
    </>
  );
}

function RestoreFileDialog({ onClose }: { onClose(): void }) {
  const [key, setKey] = useState('');
  const restoring = useOperationMutation('backup_restore_file', REFRESH);
  const { showToast } = useToasts();
  const restore = () =>
    restoring.mutate(
      { key },
      {
        onSuccess: ({ staged }) => {
          if (staged) showToast('Close Bordereau and open it again to finish restoring the backup.');
          onClose();
        },
      },
    );
  return (
    <Dialog
      title="Restore a backup from a file"
      hasInput
      error={restoring.error}
      onClose={onClose}
      onSubmit={restore}
      action={{ label: 'Choose the backup…', look: 'danger', busy: restoring.isPending }}
    >
      <p>
        The backup replaces the data of this computer, which is kept for 30 days. Anything unsent in the backup is
        looked up at the service before it is sent.
      </p>
      <Field
        label="Recovery key"
        type="password"
        pointer="/key"
        autoComplete="off"
        value={key}
        onChange={setKey}
        hint="Of the computer that made the backup. Leave it empty for a backup of this computer, or one that isn’t sealed."
      />
    </Dialog>
  );
}
