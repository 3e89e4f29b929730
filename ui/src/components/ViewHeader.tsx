import type { ReactNode } from 'react';

import { useRunAction } from '../actions/ActionRegistry';
import { ariaShortcut } from '../values';
import { ShortcutKeys } from './Button';
import { Icon } from './Icon';
import { ViewTitle } from './ViewTitle';

/** Heading of a view: its name, what it is about now, the palette, its actions. */
export function ViewHeader({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
  const run = useRunAction();
  return (
    <header className="head" data-part>
      <ViewTitle>{title}</ViewTitle>
      {note && <span className="quiet-text">{note}</span>}
      <span className="spring" />
      <button
        type="button"
        className="split find no-wrap"
        aria-label="Search or run a command"
        aria-keyshortcuts={ariaShortcut('Mod+K')}
        onClick={() => run('shell.palette')}
      >
        <Icon name="search" />
        <span className="words">
          <span>Search</span>
          <span>or run a command</span>
        </span>
        <ShortcutKeys keys="Mod+K" />
      </button>
      {children}
    </header>
  );
}
