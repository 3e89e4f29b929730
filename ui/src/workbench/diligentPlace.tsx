import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import { useNavigation } from './navigation';

interface DiligentPlace {
  /** Transaction that forms are to be begun from; empty once they are. */
  from: string;
  /** Begins the forms of a transaction, from another view. */
  begin(transaction: string): void;
  /** They are begun. */
  begun(): void;
}

const DiligentContext = createContext<DiligentPlace | null>(null);

/** What diligent forms are to be begun from. */
export function DiligentPlaceProvider({ children }: { children: ReactNode }) {
  const [from, setFrom] = useState('');
  const { go } = useNavigation();
  const begin = useCallback(
    (transaction: string) => {
      setFrom(transaction);
      go('diligent');
    },
    [go],
  );
  const begun = useCallback(() => setFrom(''), []);
  const value = useMemo(() => ({ from, begin, begun }), [from, begin, begun]);
  return <DiligentContext.Provider value={value}>{children}</DiligentContext.Provider>;
}

export function useDiligentPlace(): DiligentPlace {
  const place = useContext(DiligentContext);
  if (!place) throw new Error('There is no DiligentPlaceProvider above this component.');
  return place;
}
