import type { ReactNode } from 'react';

import { useRun } from '../actions/ActionRegistry';
import { ariaKeys } from '../values/shortcuts';
import { Keys } from './Button';
import { Icon } from './Icon';
import { ViewTitle } from './ViewTitle';

/** Heading of a view: its name, what it is about now, the palette, its actions. */
export function ViewHead({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
  const run = useRun();
  return (
    <header className="head" data-part>
      <ViewTitle>{title}</ViewTitle>
      {note && <span className="quiet-text">{note}</span>}
      <span className="spring" />
      <button
        type="button"
        className="find"
        aria-label="Find or do anything"
        aria-keyshortcuts={ariaKeys('Mod+K')}
        onClick={() => run('shell.palette')}
      >
        <Icon name="search" />
        <span>Find or do anything</span>
        <Keys of="Mod+K" />
      </button>
      {children}
    </header>
  );
}
