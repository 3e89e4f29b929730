import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

import { createRequiredContext } from '../components/requiredContext';

/**
 * Where the person is: names of views, and ids of what is open. It outlives the views while the window is locked, when
 * nothing that can be read may stay in the page, so nothing that was typed or read belongs here.
 */
export type RememberedPlaces = Map<string, unknown>;

const [Provider, , useOptionalPlaces] = createRequiredContext<RememberedPlaces>('remembered places');
export const RememberedPlacesProvider = Provider;

/** A state that is there again after the window was locked. */
export function useRememberedPlace<T>(name: string, first: T): [T, Dispatch<SetStateAction<T>>] {
  const places = useOptionalPlaces();
  const [place, setPlace] = useState(() => (places?.has(name) ? (places.get(name) as T) : first));
  useEffect(() => {
    places?.set(name, place);
  }, [places, name, place]);
  return [place, setPlace];
}
