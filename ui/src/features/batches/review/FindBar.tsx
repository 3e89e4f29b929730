import { useState } from 'react';

import type { FoundCell } from '../../../bindings/operations';
import { Button, CloseButton, Icon } from '../../../components';
import { formatCount } from '../../../values';

interface Props {
  /** What the active cell is, in words. */
  place: string;
  onFind(text: string, backwards: boolean): Promise<FoundCell | null>;
  onClose(): void;
}

/** Finds in all rows, not only in those on screen. */
export function FindBar({ place, onFind, onClose }: Props) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<FoundCell | null>(null);
  const find = (backwards: boolean) => {
    if (text.trim() !== '') void onFind(text, backwards).then(setFound);
  };
  return (
    <search className="find-bar">
      <Icon name="search" />
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label="Find in all rows"
        placeholder="Find in all rows"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFound(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find(event.shiftKey);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span role="status" className="quiet-text">
        {found && (found.found ? `${formatCount(found.total)} found` : 'No matches')}
        {found?.found && place !== '' && <span className="only-read">, now at {place}</span>}
      </span>
      <Button small onClick={() => find(true)}>
        Previous
      </Button>
      <Button small onClick={() => find(false)}>
        Next
      </Button>
      <CloseButton label="Close search" onClick={onClose} />
    </search>
  );
}
