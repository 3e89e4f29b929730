import { useState } from 'react';

import type { SavedSearch, SavedSearches, TransactionColumnInfo, TransactionsSearch } from '../../bindings/operations';
import { Button, Checkbox, CloseButton, Dialog, ErrorBox, Field } from '../../components';
import { useOperationAction, useOperationMutation, useToasts } from '../../operations';
import { findColumns } from './transactionColumns';

interface SaveSearchProps {
  search: TransactionsSearch;
  columns: string[];
  saved: SavedSearches | undefined;
  onClose(): void;
}

/** Saves the search under a name, and removes those no longer wanted. */
export function SaveSearchDialog({ search, columns, saved, onClose }: SaveSearchProps) {
  const [name, setName] = useState('');
  const saving = useOperationMutation('search_save', ['searches_list']);
  const removing = useOperationAction('search_remove', ['searches_list']);
  const { showToast } = useToasts();
  const save = () =>
    saving.mutate(
      { name, search, columns },
      {
        onSuccess: () => {
          showToast(`Search ${name.trim()} saved.`);
          onClose();
        },
      },
    );
  const fault = saving.error?.boundary.details.find((detail) => detail.pointer === '/name')?.message;
  return (
    <Dialog title="Save search" onClose={onClose} onSubmit={save} action={{ label: 'Save', cancel: 'Close' }}>
      {saving.error && !fault && <ErrorBox error={saving.error} />}
      <Field label="Name" value={name} onChange={setName} error={fault} placeholder="Texas, unpaid" />
      {saved && saved.searches.length > 0 && (
        <ul className="tx-saved" aria-label="Saved searches">
          {saved.searches.map((each: SavedSearch) => (
            <li key={each.name} className="split">
              <span>{each.name}</span>
              <CloseButton label={`Remove ${each.name}`} onClick={() => removing.mutate({ name: each.name })} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** Which columns the table has. */
interface ColumnsProps {
  columns: TransactionColumnInfo[];
  names: string[];
  onChange(names: string[]): void;
  onClose(): void;
}

export function ColumnsDialog({ columns, names, onChange, onClose }: ColumnsProps) {
  const shown = findColumns(columns, names).map((column) => column.name);
  const toggle = (name: string, on: boolean) => {
    const next = on ? [...shown, name] : shown.filter((each) => each !== name);
    if (next.length > 0) onChange(findColumns(columns, next).map((column) => column.name));
  };
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      bodyClass="pair"
      foot={
        <>
          <Button onClick={() => onChange([])}>Reset to default</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {columns.map((column) => (
        <Checkbox
          key={column.name}
          label={column.title}
          checked={shown.includes(column.name)}
          onChange={(on) => toggle(column.name, on)}
        />
      ))}
    </Dialog>
  );
}
