import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

import { useNavigation } from './navigation';

interface DiligentPlace {
  /** Transaction that forms are to be begun from; empty once they are. */
  prefillFrom: string;
  /** Begins the forms of a transaction, from another view. */
  openForms(transaction: string): void;
  /** They are begun. */
  clearPrefill(): void;
}

const DiligentContext = createContext<DiligentPlace | null>(null);

/** What diligent forms are to be begun from. */
export function DiligentPlaceProvider({ children }: { children: ReactNode }) {
  const [prefillFrom, setPrefillFrom] = useState('');
  const { go } = useNavigation();
  const openForms = useCallback(
    (transaction: string) => {
      setPrefillFrom(transaction);
      go('diligent');
    },
    [go],
  );
  const clearPrefill = useCallback(() => setPrefillFrom(''), []);
  const value = useMemo(() => ({ prefillFrom, openForms, clearPrefill }), [prefillFrom, openForms, clearPrefill]);
  return <DiligentContext.Provider value={value}>{children}</DiligentContext.Provider>;
}

export function useDiligentPlace(): DiligentPlace {
  const place = useContext(DiligentContext);
  if (!place) throw new Error('There is no DiligentPlaceProvider above this component.');
  return place;
}
