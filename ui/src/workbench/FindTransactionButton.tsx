import { useState } from 'react';

import { useActions } from '../actions/ActionRegistry';
import { Button } from '../components/Button';
import { TransactionSearchDialog } from './TransactionSearchDialog';

interface Props {
  /** The view whose Ctrl+F it is; none in a dialog. */
  group?: string;
  onFound(id: string): void;
}

/** Finds the number of a transaction, for a field that takes it. */
export function FindTransactionButton({ group, onFound }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  useActions(group ? [{ id: `find ${group}`, title: 'Find a transaction', group, keys: 'Mod+F', run: open }] : []);
  return (
    <>
      <Button aria-label="Find a transaction" {...(group ? { keys: 'Mod+F' } : {})} onClick={open}>
        Find…
      </Button>
      {isOpen && (
        <TransactionSearchDialog
          isByNumber
          onPick={(choice) => onFound(choice.target.transaction_id)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
