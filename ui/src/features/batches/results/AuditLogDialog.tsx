import { DataTable, Dialog, Tag } from '../../../components';
import { formatTimestamp } from '../../../values';
import { useAuditLog } from '../useBatchQueries';

/** What was sent, by whom and when; each entry seals the one before. */
export function AuditLogDialog({ onClose }: { onClose(): void }) {
  const audit = useAuditLog();
  return (
    <Dialog title="Audit log" wide onClose={onClose} scrollLabel="Entries" error={audit.error}>
      {' '}
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
      <DataTable label="Audit log entries" columns={['No.', 'When', 'Who', 'What', 'Hash']}>
        {audit.data?.entries.map((entry) => (
          <tr key={entry.number}>
            <td>{entry.number}</td>
            <td>{formatTimestamp(entry.at)}</td>
            <td>{entry.by}</td>
            <td>{entry.text}</td>
            <td className="quiet-text" title={entry.hash}>
              {entry.hash.slice(0, 10)}
            </td>
          </tr>
        ))}
      </DataTable>
      {audit.data?.entries.length === 0 && <p>Nothing has been sent yet.</p>}
    </Dialog>
  );
}
