import { type AppAction, useActionList } from '../../actions/ActionRegistry';
import { DataTable, Dialog, ShortcutKeys } from '../../components';
import { ariaShortcut } from '../../values';

const FIELD_SHORTCUTS = [
  { id: 'date', title: 'Date field: next or previous day, today', group: 'Fields', keys: 'Up Down t' },
  { id: 'picker', title: 'Picker: open the list, choose the best match', group: 'Fields', keys: 'Down Enter' },
];

type ShortcutEntry = Pick<AppAction, 'id' | 'title' | 'group' | 'keys'>;

/** All keys of what is on screen now, by what they belong to. */
export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const actions: ShortcutEntry[] = [...useActionList().filter((action) => action.keys), ...FIELD_SHORTCUTS];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} scrollLabel="Shortcuts">
      <DataTable
        className="keys-table"
        label="Shortcuts for this screen"
        columns={['Action', { num: 'Shortcut' }]}
        hasGroups
      >
        {[...new Set(actions.map((action) => action.group))].map((group) => (
          <tbody key={group}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {group}
              </th>
            </tr>
            {actions
              .filter((action) => action.group === group)
              .map((action) => (
                <tr key={action.id}>
                  <td>{action.title}</td>
                  <td>
                    <span className="only-read">{ariaShortcut(action.keys ?? '').replaceAll('+', ' ')}</span>
                    <ShortcutKeys keys={action.keys ?? ''} />
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </DataTable>
    </Dialog>
  );
}
