import { useState } from 'react';

import { Button } from '../components/Button';
import { TransactionSearchDialog } from './TransactionSearchDialog';

/** Finds the number of a transaction, for a field that takes it. */
export function FindTransactionButton({ onFound }: { onFound(id: string): void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button aria-label="Find a transaction" onClick={() => setIsOpen(true)}>
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
