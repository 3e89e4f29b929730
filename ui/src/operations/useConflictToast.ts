import type { OperationError } from '../platform';
import { pluralize } from '../values';
import { useToasts } from './toasts';

/** Differences that a toast says. */
const SAID_MAX = 3;

/**
 * Shows an error as a toast; where someone else changed the same thing, with what both did and the two ways out. Who
 * puts theirs in gives the revision that it replaces.
 */
export function useConflictToast() {
  const { showError, showOffers } = useToasts();
  return (error: OperationError, putMine: (revision: string) => void, keepTheirs: () => void) => {
    const { revision, message, details } = error.boundary;
    if (revision === undefined) return showError(error);
    const said = details.slice(0, SAID_MAX).map((each) => each.message);
    const more = details.length > SAID_MAX ? [`And ${pluralize(details.length - SAID_MAX, 'more difference')}.`] : [];
    return showOffers(error, [message, ...said, ...more].join(' '), [
      { label: 'Put mine in', run: () => putMine(revision) },
      { label: 'Keep theirs', run: keepTheirs },
    ]);
  };
}
