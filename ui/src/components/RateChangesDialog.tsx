import { Dialog } from './Dialog';
import { useOperationQuery } from '../operations';
import { formatLongDate } from '../values';
import { formatChangeDates, groupChangesByDay } from './rateChanges';
import { DataTable } from './DataTable';

/** What changed in the tax rules: when, for which states and dates. */
export function RateChangesDialog({ onClose }: { onClose(): void }) {
  const { data, error } = useOperationQuery('rules_changes');
  return (
    <Dialog title="Rate changes" onClose={onClose} wide scrollLabel="Rate changes" error={error}>
      {data && (
        <DataTable
          className="rate-changes"
          label="Rate changes, newest first"
          columns={['State', 'Dates', 'What changed']}
          hasGroups
        >
          {groupChangesByDay(data.changes).map(([day, changes]) => (
            <tbody key={day}>
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  {formatLongDate(day)}
                </th>
              </tr>
              {changes.map((change) => (
                <tr key={`${change.states.join()} ${change.text}`}>
                  <td>{change.states.join(', ')}</td>
                  <td>{formatChangeDates(change)}</td>
                  <td>{change.text.replaceAll('->', '→')}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </DataTable>
      )}
    </Dialog>
  );
}
