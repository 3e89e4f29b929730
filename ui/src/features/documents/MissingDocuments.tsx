import type { MissingEntry } from '../../bindings/operations';
import { QueryError, Tag } from '../../components';
import { useOperationQuery } from '../../operations';
import { formatCount, formatLongDate } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { TableCard } from '../../components/DataTable';

const NONE_MISSING =
  'No documents are missing for the transactions on this computer. Transactions come from searches, batches, and events.';

interface Props {
  /** Words of a document or of its transaction; empty for all. */
  search: string;
  onOpen(transaction: string): void;
}

/** The work list: transactions that are not filed and miss a document, what a filing waits for first. */
export function MissingDocuments({ search, onOpen }: Props) {
  const list = useOperationQuery('documents_missing', { search }, { alwaysRefetch: true, keepPrevious: true });
  if (list.error) return <QueryError of={list} />;
  if (!list.data) return null;
  const { entries, total, required } = list.data;
  return (
    <TableCard
      title="Missing documents"
      note={total > 0 && describeMissing(required, total - required)}
      columns={['File by', 'State', 'Policy', 'Insured', 'Required for filing', 'Also requested']}
      none={total === 0 && (search === '' ? NONE_MISSING : `No missing documents match “${search}”.`)}
      after={total > entries.length && `Showing the first ${formatCount(entries.length)}.`}
    >
      {entries.map((entry) => (
        <MissingRow key={entry.transaction_id} entry={entry} onOpen={onOpen} />
      ))}
    </TableCard>
  );
}

/** "6 required for filing, 3 only requested" */
function describeMissing(required: number, requested: number): string {
  if (required === 0) return `${formatCount(requested)} requested`;
  const waits = `${formatCount(required)} required for filing`;
  return requested === 0 ? waits : `${waits}, ${formatCount(requested)} only requested`;
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
            <span className="no-wrap">{formatLongDate(entry.due)}</span>{' '}
            {entry.due < reference.today && <Tag tone="error">overdue</Tag>}
          </>
        )}
      </td>
      <td>{entry.state}</td>
      <td>
        <button
          type="button"
          className="link-button wraps"
          aria-label={`Documents for ${entry.policy_number || entry.transaction_id}`}
          onClick={() => onOpen(entry.transaction_id)}
        >
          {entry.policy_number || `Transaction ${entry.transaction_id}`}
        </button>
      </td>
      <td>
        <span className="two-lines" title={entry.insured}>
          {entry.insured}
        </span>
      </td>
      <td>
        {entry.required.length > 0 && (
          <Tag tone="warn" icon>
            {names(entry.required)}
          </Tag>
        )}
      </td>
      <td className="quiet-text">{names(entry.asked)}</td>
    </tr>
  );
}
