import './placeList.css';

import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  label: string;
  places: { id: string; title: ReactNode }[];
  current: string | undefined;
  onChoose(id: string): void;
}

/** Chapters, states, parts: one of them is shown beside the list. */
export function PlaceList({ label, places, current, onChoose }: Props) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' });
  }, [current]);
  return (
    <nav ref={list} aria-label={label} className="places">
      {places.map(({ id, title }) => (
        <button key={id} type="button" aria-current={id === current ? 'true' : undefined} onClick={() => onChoose(id)}>
          {title}
        </button>
      ))}
    </nav>
  );
}
