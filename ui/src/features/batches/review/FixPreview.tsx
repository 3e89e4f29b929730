import type { FixOutcome } from '../../../bindings/operations';
import { DataTable } from '../../../components';
import { formatCount, formatShortcut } from '../../../values';

/** The first changes, and how many more there are. */
export function FixPreview({ outcome }: { outcome: FixOutcome }) {
  const more = outcome.total - outcome.changes.length;
  return (
    <>
      <p>You can undo all of it with {formatShortcut('Mod+Z')}.</p>
      <DataTable className="changes" label="Changes" columns={['Row', 'Column', 'Before', 'After']}>
        {outcome.changes.map((change) => (
          <tr key={`${change.line} ${change.header}`}>
            <td className="num">{formatCount(change.line)}</td>
            <td>{change.header || 'whole row'}</td>
            <td>
              {change.before || <span className="quiet-text">{change.header === '' ? 'included' : 'empty'}</span>}
            </td>
            <td>
              <b>{change.header === '' ? 'excluded' : change.after || 'empty'}</b>
            </td>
          </tr>
        ))}
      </DataTable>
      {more > 0 && <p className="quiet-text">and {formatCount(more)} more like this</p>}
    </>
  );
}
