import type { MissingEntry } from '../../bindings/operations';
import { ErrorBox } from '../../components/ErrorBox';
import { Tag } from '../../components/Tag';
import { TableHead } from '../../components/TableHead';
import { useOperationQuery } from '../../operations/useOperation';
import { formatLongDate } from '../../values/date';
import { useWorkbench } from '../../workbench/Workbench';
import { formatCount } from '../../values/count';

/** The work list: transactions that are not filed and miss a document, the first due first. */
export function MissingDocuments({ onOpen }: { onOpen(transaction: string): void }) {
  const list = useOperationQuery('documents_missing', {}, { alwaysRefetch: true });
  if (list.error) return <ErrorBox error={list.error} onAction={() => void list.refetch()} />;
  if (!list.data) return null;
  const { entries, total } = list.data;
  return (
    <section className="card" aria-label="Missing documents">
      <h2>
        Missing documents <span className="quiet-text">{total > 0 ? formatCount(total) : ''}</span>
      </h2>
      {total === 0 ? (
        <p className="none">
          No documents are missing for the transactions on this computer. Transactions come from searches, batches, and
          events.
        </p>
      ) : (
        <table>
          <TableHead columns={['File by', 'State', 'Policy', 'Insured', 'Required for filing', 'Also requested']} />
          <tbody>
            {entries.map((entry) => (
              <MissingRow key={entry.transaction_id} entry={entry} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      )}
      {total > entries.length && <p className="none">Showing the first {formatCount(entries.length)}.</p>}
    </section>
  );
}

function MissingRow({ entry, onOpen }: { entry: MissingEntry; onOpen(transaction: string): void }) {
  const { reference } = useWorkbench();
  const names = (documents: MissingEntry['required']) => documents.map((document) => document.name).join(', ');
  return (
    <tr>
      <td>
        {entry.due === null ? (
          <span className="quiet-text">unknown</span>
        ) : (
          <>
            {formatLongDate(entry.due)} {entry.due < reference.today && <Tag tone="error">overdue</Tag>}
          </>
        )}
      </td>
      <td>{entry.state}</td>
      <td>
        <button
          type="button"
          className="link-button"
          aria-label={`Documents for ${entry.policy_number || entry.transaction_id}`}
          onClick={() => onOpen(entry.transaction_id)}
        >
          {entry.policy_number || `Transaction ${entry.transaction_id}`}
        </button>
      </td>
      <td>{entry.insured}</td>
      <td>
        {entry.required.length > 0 && (
          <Tag tone="warn" icon="warning">
            {names(entry.required)}
          </Tag>
        )}
      </td>
      <td className="quiet-text">{names(entry.asked)}</td>
    </tr>
  );
}
