import './placeList.css';

import type { ReactNode } from 'react';

interface Props {
  label: string;
  places: { id: string; title: ReactNode }[];
  current: string | undefined;
  onChoose(id: string): void;
}

/** Chapters, states, parts: one of them is shown beside the list. */
export function PlaceList({ label, places, current, onChoose }: Props) {
  return (
    <nav aria-label={label} className="places">
      {places.map(({ id, title }) => (
        <button key={id} type="button" aria-current={id === current ? 'true' : undefined} onClick={() => onChoose(id)}>
          {title}
        </button>
      ))}
    </nav>
  );
}
