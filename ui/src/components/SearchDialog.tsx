import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

import { ShortcutKeys } from './Button';
import { Dialog } from './Dialog';
import { Icon } from './Icon';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

interface Props<T extends { id: string }> {
  /** Names the dialog and its field. */
  title: string;
  placeholder: string;
  /** Prefix of the ids of the options. */
  name: string;
  query: string;
  onQuery(query: string): void;
  results: readonly T[];
  /** The results are still for fewer letters: Enter takes none of them, the pointer the one it points at. */
  isStale?: boolean;
  onPick(item: T): void;
  onClose(): void;
  renderItem(item: T): ReactNode;
  /** Said and shown where nothing is found. */
  emptyMessage: ReactNode;
}

/** One field that finds, and what it found below it: arrows and Enter, or the pointer. The focus stays in the field. */
export function SearchDialog<T extends { id: string }>(props: Props<T>) {
  const { title, name, query, results, onPick, onClose } = props;
  const [chosen, choose] = useState(0);
  const at = Math.min(chosen, Math.max(results.length - 1, 0));
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // Over another dialog, which takes the focus back once: after it.
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  // Named after what it is, not after its place: another best fit under the same id would be read by no one.
  const idOf = (item: T) => `${name}-${item.id.replaceAll(/\s/g, '_')}`;
  const best = results[at];
  useEffect(() => {
    list.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest' });
  }, [at, query]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step) choose(Math.min(Math.max(at + step, 0), Math.max(results.length - 1, 0)));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (best && !props.isStale) onPick(best);
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} bare onClose={onClose}>
      <div className="in-line palette-field">
        <Icon name="search" />
        <input
          ref={field}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-label={title}
          aria-autocomplete="list"
          aria-expanded={results.length > 0}
          aria-controls={`${name}-list`}
          aria-activedescendant={best && idOf(best)}
          autoComplete="off"
          spellCheck={false}
          placeholder={props.placeholder}
          value={query}
          onChange={(event) => {
            props.onQuery(event.target.value);
            choose(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ShortcutKeys keys="Esc" />
      </div>
      <div className="palette-list" id={`${name}-list`} role="listbox" aria-label="Results" ref={list}>
        {results.map((item, index) => (
          // Keys are handled by the field above, which names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={item.id}
            id={idOf(item)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={`option ${index === at ? 'on' : ''}`}
            onPointerMove={() => choose(index)}
            onClick={() => onPick(item)}
          >
            {props.renderItem(item)}
          </div>
        ))}
      </div>
      <div role="status">{results.length === 0 && <p className="empty">{props.emptyMessage}</p>}</div>
    </Dialog>
  );
}
