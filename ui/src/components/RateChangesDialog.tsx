import { Dialog } from './Dialog';
import { ErrorBox } from './ErrorBox';
import { useOperationQuery } from '../operations/useOperation';
import { formatLongDate } from '../values/date';
import { formatChangeDates, groupChangesByDay } from './rateChanges';
import { TableHead } from './TableHead';

/** What changed in the tax rules: when, for which states and dates. */
export function RateChangesDialog({ onClose }: { onClose(): void }) {
  const { data, error } = useOperationQuery('rules_changes');
  return (
    <Dialog title="Rate changes" onClose={onClose} wide>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Rate changes">
        {error && <ErrorBox error={error} />}
        {data && (
          <table className="rate-changes" aria-label="Rate changes, newest first">
            <TableHead columns={['State', 'Dates', 'What changed']} />
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
                    <td>{change.text}</td>
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        )}
      </div>
    </Dialog>
  );
}
