import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { createRequiredContext } from '../components/requiredContext';
import { useNavigation } from './navigation';

interface DiligentPlace {
  /** Transaction that forms are to be begun from; empty once they are. */
  prefillFrom: string;
  /** Begins the forms of a transaction, from another view. */
  openForms(transaction: string): void;
  /** They are begun. */
  clearPrefill(): void;
}

const [Provider, useDiligentPlace] = createRequiredContext<DiligentPlace>('diligent effort place');
export { useDiligentPlace };

/** What a new diligent effort form is started from. */
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
  return <Provider value={value}>{children}</Provider>;
}
