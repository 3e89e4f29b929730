import { useState } from 'react';

import type { QuoteAnswer } from '../../bindings/operations';
import { Dialog, Field } from '../../components';
import { QUOTE_QUERIES, useOperationMutation, useToasts } from '../../operations';
import { useWorkbench } from '../../workbench/Workbench';
import { buildQuoteRequest } from '../../workbench/quoteForm';

/** Saves the quote as a new one under a name. */
export function SaveAsDialog({ answer, onClose }: { answer: QuoteAnswer | null; onClose(): void }) {
  const { quote, change, reference } = useWorkbench();
  const [name, setName] = useState(quote.saved ? `${quote.saved.name} (copy)` : '');
  const { mutate, error } = useOperationMutation('quote_save', QUOTE_QUERIES);
  const { showToast } = useToasts();
  const save = () => {
    mutate(
      { id: null, name: name.trim(), request: buildQuoteRequest(quote.form, reference), answer },
      {
        onSuccess: (saved) => {
          change({ do: 'saved', quote: saved });
          showToast(`Saved as ${saved.name}.`);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title="Save a copy" onClose={onClose} error={error} onSubmit={save} action={{ label: 'Save' }}>
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label="Name"
        hint="Leave empty to name it by state, insured, and date."
        value={name}
        onChange={setName}
      />
    </Dialog>
  );
}
