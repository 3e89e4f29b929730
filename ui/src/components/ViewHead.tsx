import type { ReactNode } from 'react';

import { useRun } from '../actions/registry';
import { Keys } from './Button';

/** Heading of a view: its name, what it is about now, the palette, its actions. */
export function ViewHead({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
  const run = useRun();
  return (
    <header className="head">
      <h1>{title}</h1>
      {note && <span className="quiet-text">{note}</span>}
      <span className="spring" />
      <button type="button" className="find" aria-keyshortcuts="Control+K" onClick={() => run('shell.palette')}>
        <span>Find or do anything</span>
        <Keys of="Mod+K" />
      </button>
      {children}
    </header>
  );
}
