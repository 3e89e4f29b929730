import type { ReactNode } from 'react';

import { formatCount } from '../../values';

interface Chip<Key> {
  key: Key;
  word: string;
  count: number;
  sign?: ReactNode;
}

interface Props<Key> {
  label: string;
  chips: Chip<Key>[];
  /** None of them where it is undefined. */
  chosen: Key | undefined;
  onChoose(key: Key): void;
}

/** Which rows are shown: one of these, with how many there are. */
export function Chips<Key extends string | null>({ label, chips, chosen, onChoose }: Props<Key>) {
  return (
    <div className="buttons" role="group" aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.key}
          type="button"
          className="chip"
          title={chip.word}
          aria-pressed={chosen === chip.key}
          onClick={() => onChoose(chip.key)}
        >
          {chip.sign && <span aria-hidden="true">{chip.sign}</span>} <span className="cut">{chip.word}</span>{' '}
          <b>{formatCount(chip.count)}</b>
        </button>
      ))}
    </div>
  );
}
