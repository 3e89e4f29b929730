import { useCallback } from 'react';

import { useNavigation } from '../../../workbench/navigation';
import { useReplaceQuote } from '../../../workbench/Workbench';
import { useOperationAction, useQuoteList } from '../../../operations';

/** Saved and recent quotes, and opening one of them on the table. */
export function useSavedQuotes() {
  const list = useQuoteList();
  const replaceQuote = useReplaceQuote();
  const { go } = useNavigation();
  const { mutate } = useOperationAction('quote_open');
  const saved = list.data?.saved;
  const open = useCallback(
    (id: string, done?: () => void, copy?: 'copy') => {
      const as = copy !== 'copy' && saved?.some((each) => each.id === id) ? 'saved' : 'copy';
      mutate(
        { id },
        {
          onSuccess: (quote) => {
            replaceQuote({ do: 'open', quote, as }, `${quote.name} was opened.`);
            go('quote');
            done?.();
          },
        },
      );
    },
    [mutate, replaceQuote, go, saved],
  );
  return { list, open };
}
