import { Dialog } from '../../components/Dialog';
import { Problem } from '../../components/Problem';
import { useAsk } from '../../desk/queries';
import { longDate } from '../../values/date';
import { changeDates, changesByDay } from './rateChanges';

const NOTHING = {};

/** What changed in the tax rules: when, for which states and dates. */
export function RateChangesDialog({ onClose }: { onClose(): void }) {
  const { data, error } = useAsk('rules_changes', NOTHING);
  return (
    <Dialog title="Rate changes" onClose={onClose} wide>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Changes of the rules">
        {error && <Problem error={error} />}
        {data && (
          <table className="rate-changes" aria-label="Changes of the rules, newest first">
            <thead>
              <tr>
                <th scope="col">State</th>
                <th scope="col">Dates</th>
                <th scope="col">What changed</th>
              </tr>
            </thead>
            {changesByDay(data.changes).map(([day, changes]) => (
              <tbody key={day}>
                <tr>
                  <th scope="rowgroup" colSpan={3}>
                    {longDate(day)}
                  </th>
                </tr>
                {changes.map((change) => (
                  <tr key={`${change.states.join()} ${change.text}`}>
                    <td>{change.states.join(', ')}</td>
                    <td>{changeDates(change)}</td>
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
