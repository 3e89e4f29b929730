import { useState } from 'react';

import { SearchDialog } from '../components/SearchDialog';
import { nameRow, nameUnknown, type TransactionChoice, useTransactionMatches } from './transactionChoices';

const MATCHES_MAX = 30;
const NONE: TransactionChoice[] = [];

interface Props {
  /** Offered before anything is typed; without any, the newest transactions are. */
  suggested?: TransactionChoice[];
  /** Only by the service's number: an invoice that isn't on this computer is none. */
  isByNumber?: boolean;
  onPick(choice: TransactionChoice): void;
  onClose(): void;
}

/** Finds a transaction by policy, insured, invoice, or number. One that isn't on this computer is named by its number. */
export function TransactionSearchDialog({ suggested = NONE, isByNumber = false, onPick, onClose }: Props) {
  const [query, setQuery] = useState('');
  const { rows, isCurrent } = useTransactionMatches(query, { count: MATCHES_MAX });
  const isBlank = query.trim() === '';
  const found = rows.map(nameRow);
  const known = isBlank && suggested.length > 0 ? suggested : found;
  const unknown = nameUnknown(query, rows).filter((each) => !isByNumber || each.target.transaction_id !== '');
  const choices = isCurrent ? [...known, ...unknown] : known;
  return (
    <SearchDialog
      title="Choose a transaction"
      name="transaction"
      placeholder="Policy, insured, invoice, or transaction number"
      query={query}
      onQuery={setQuery}
      results={choices}
      isStale={!isCurrent}
      onPick={(choice) => {
        onClose();
        onPick(choice);
      }}
      onClose={onClose}
      emptyMessage={
        isBlank
          ? 'No transactions on this computer yet. Enter a transaction number.'
          : isCurrent
            ? `No matches for “${query}”. Try a policy, an insured, or an invoice.`
            : 'Searching…'
      }
      renderItem={(choice) => (
        <span>
          {choice.title} <span className="extra">{choice.extra}</span>
        </span>
      )}
    />
  );
}
