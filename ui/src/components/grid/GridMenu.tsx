import { useRef } from 'react';
import { Keyboard, Menu, MenuItem, MenuSection, Popover, Text } from 'react-aria-components';

import { formatShortcut } from '../../values';
import type { MenuPoint } from './useGridInput';

export interface GridMenuEntry {
  id: string;
  title: string;
  /** Such as `Mod+C`, shown only: the grid handles the key. */
  keys?: string;
  run(): unknown;
}

interface Props {
  label: string;
  point: MenuPoint;
  /** Entries that belong together; empty groups are not shown. */
  groups: GridMenuEntry[][];
  /** Whether the keyboard goes back to the grid: not where an entry opened something. */
  onClose(): void;
}

/** What can be done with the selection, at the pointer or the active cell. */
export function GridMenu({ label, point, groups, onClose }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const shown = groups.filter((group) => group.length > 0);
  return (
    <>
      <span ref={place} className="menu-point" style={point} />
      <Popover
        className="floating popover"
        triggerRef={place}
        isOpen
        placement="bottom start"
        offset={2}
        onOpenChange={(open) => !open && onClose()}
      >
        <Menu
          className="listbox grid-menu"
          aria-label={label}
          autoFocus="first"
          onAction={(id) => {
            onClose();
            void shown
              .flat()
              .find((entry) => entry.id === id)
              ?.run();
          }}
        >
          {shown.map((group) => (
            <MenuSection key={group[0]?.id} className="menu-group" aria-label={group[0]?.title ?? ''}>
              {group.map((entry) => (
                <MenuItem key={entry.id} id={entry.id} textValue={entry.title} className="option">
                  {/* Its name is the title alone; the keys are its description. */}
                  <Text slot="label">{entry.title}</Text>
                  {entry.keys && <Keyboard className="keys">{formatShortcut(entry.keys)}</Keyboard>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </>
  );
}
