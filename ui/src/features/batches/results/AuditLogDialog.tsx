import { Dialog } from '../../../components/Dialog';
import { ErrorBox } from '../../../components/ErrorBox';
import { Tag } from '../../../components/Tag';
import { TableHead } from '../../../components/TableHead';
import { formatTimestamp } from '../../../values/date';
import { useAuditLog } from '../useBatchQueries';

/** What was sent, by whom and when; each entry seals the one before. */
export function AuditLogDialog({ onClose }: { onClose(): void }) {
  const audit = useAuditLog();
  return (
    <Dialog title="Audit log" wide onClose={onClose}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Entries">
        {audit.error && <ErrorBox error={audit.error} />}
        {audit.data && (
          <p>
            {audit.data.intact ? (
              <Tag tone="ok" icon="check">
                Hash chain verified: no entries were changed or removed
              </Tag>
            ) : (
              <Tag tone="error" icon="error">
                Hash chain broken: entries were changed or removed
              </Tag>
            )}
          </p>
        )}
        <table aria-label="Audit log entries">
          <TableHead columns={['No.', 'When', 'Who', 'What', 'Hash']} />
          <tbody>
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
          </tbody>
        </table>
        {audit.data?.entries.length === 0 && <p>Nothing has been sent yet.</p>}
      </div>
    </Dialog>
  );
}
