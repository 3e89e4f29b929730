import { useNavigation } from '../../../workbench/navigation';
import { useWorkbench } from '../../../workbench/Workbench';
import { useOperationAction, useQuoteList } from '../../../operations';

/** Saved and recent quotes, and opening one of them on the table. */
export function useSavedQuotes() {
  const list = useQuoteList();
  const { change } = useWorkbench();
  const { go } = useNavigation();
  const opening = useOperationAction('quote_open');
  const open = (id: string, done?: () => void, as?: 'copy') => {
    const saved = as !== 'copy' && (list.data?.saved.some((each) => each.id === id) ?? false);
    opening.mutate(
      { id },
      {
        onSuccess: (quote) => {
          change({ do: 'open', quote, as: saved ? 'saved' : 'copy' });
          go('quote');
          done?.();
        },
      },
    );
  };
  return { list, open };
}
