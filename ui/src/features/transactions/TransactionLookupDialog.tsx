import { useState } from 'react';

import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { useOperationMutation } from '../../operations/useOperation';
import { useInvalidateIndex } from './useIndexQueries';

interface Props {
  onFound(transaction: string): void;
  onClose(): void;
}

/** Asks the service for a transaction that is not on this computer yet, by its number or its invoice. */
export function TransactionLookupDialog({ onFound, onClose }: Props) {
  const [number, setNumber] = useState('');
  const [invoice, setInvoice] = useState('');
  const lookup = useOperationMutation('transaction_status', ['status_show']);
  const invalidate = useInvalidateIndex();
  const isEmpty = number.trim() === '' && invoice.trim() === '';
  const ask = () => {
    if (isEmpty) return;
    lookup.mutate(
      { id: number.trim(), invoice_number: invoice.trim() },
      {
        onSuccess: (found) => {
          invalidate();
          onClose();
          onFound(found.row.id);
        },
      },
    );
  };
  const fault = lookup.error?.boundary.details.find((detail) => detail.pointer === '/id')?.message;
  return (
    <Dialog
      title="Look up a transaction"
      hasInput
      onClose={onClose}
      bodyClass="stack loose"
      error={!fault && lookup.error}
      onSubmit={ask}
      action={{ label: 'Look up', disabledReason: lookup.isPending ? 'Working…' : isEmpty && 'Enter a number first.' }}
    >
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label="Transaction number"
        hint="The service’s own number."
        inputMode="numeric"
        value={number}
        error={fault}
        onChange={setNumber}
      />
      <Field
        label="Or invoice number"
        hint="Used where no transaction number is entered."
        value={invoice}
        onChange={setInvoice}
      />
    </Dialog>
  );
}
