import { useActionList } from '../../actions/registry';
import { Keys } from '../../components/Button';
import { Dialog } from '../../components/Dialog';

const FIXED = [
  { id: 'date', title: 'In a date: a day later or earlier, today', keys: 'Up Down t' },
  { id: 'picker', title: 'In a picker: open the list, take the best fit', keys: 'Down Enter' },
];

/** All keys of what is on screen now. */
export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const actions = useActionList().filter((action) => action.keys);
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Keys">
        <table className="keys-table">
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col" className="num">
                Keys
              </th>
            </tr>
          </thead>
          <tbody>
            {[...actions, ...FIXED].map((action) => (
              <tr key={action.id}>
                <td>{action.title}</td>
                <td>
                  <span className="only-read">{action.keys}</span>
                  <Keys of={action.keys ?? ''} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
