import type { AuditEntry, AuditExportKind } from '../../../bindings/operations';
import { Button, DataTable, Dialog, Tag } from '../../../components';
import { useFileSave, useOperationAction } from '../../../operations/useOperation';
import { formatTimestamp } from '../../../values';
import { useAuditLog } from '../useBatchQueries';

/** What the log is saved as: for an examiner, and to show later that it was not rewritten. */
const EXPORTS: [kind: AuditExportKind, label: string][] = [
  ['csv', 'Save as CSV'],
  ['pdf', 'Save as PDF'],
  ['head', 'Save head'],
];

/** What was sent, by whom and when; each entry seals the one before. */
export function AuditLogDialog({ onClose }: { onClose(): void }) {
  const audit = useAuditLog();
  const saving = useFileSave('audit_export');
  const checking = useOperationAction('audit_check_head');
  const check = checking.data?.head ? checking.data : undefined;
  const none = audit.data?.entries.length === 0 && 'There are no entries yet.';
  return (
    <Dialog
      title="Audit log"
      wide
      onClose={onClose}
      scrollLabel="Entries"
      error={audit.error}
      foot={
        <>
          {EXPORTS.map(([kind, label]) => (
            <Button key={kind} disabledReason={none} onClick={() => saving.save({ kind })}>
              {label}
            </Button>
          ))}
          <Button disabledReason={none} onClick={() => checking.mutate({ handle: '' })}>
            Compare with a head
          </Button>
        </>
      }
    >
      {audit.data && (
        <p>
          {audit.data.intact ? (
            <Tag tone="ok" icon>
              Hash chain verified: no entries were changed or removed
            </Tag>
          ) : (
            <Tag tone="error" icon>
              Hash chain broken: entries were changed or removed
            </Tag>
          )}
        </p>
      )}
      <p role="status">
        {check && (
          <Tag tone={check.holds ? 'ok' : 'error'} icon>
            {check.message}
          </Tag>
        )}
      </p>
      <p className="quiet-text">
        The head is the last entry’s day, number, and hash. Kept on another computer, it shows if the log is ever
        rewritten.
      </p>
      <EntryTable label="Audit log entries" entries={audit.data?.entries ?? []} />
      {audit.data?.entries.length === 0 && <p>Nothing has been sent yet.</p>}
      {audit.data && audit.data.copied.length > 0 && (
        <>
          <h3>Before their data was copied into the workspace</h3>
          <EntryTable label="Entries of copied data folders" entries={audit.data.copied} />
        </>
      )}
    </Dialog>
  );
}

function EntryTable({ label, entries }: { label: string; entries: AuditEntry[] }) {
  return (
    <DataTable label={label} columns={['No.', 'When', 'Who', 'What', 'Hash']}>
      {entries.map((entry) => (
        <tr key={entry.hash}>
          <td>{entry.number}</td>
          <td className="no-wrap">{formatTimestamp(entry.at)}</td>
          <td>
            {entry.by}
            {!['', entry.by].includes(entry.signed_by) && ` (signed in as ${entry.signed_by})`}
          </td>
          <td>{entry.text}</td>
          <td className="quiet-text" title={entry.hash}>
            {entry.hash.slice(0, 10)}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
