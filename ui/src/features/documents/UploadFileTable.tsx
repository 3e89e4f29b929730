import { useState } from 'react';

import type { FileInspection, InspectedFile } from '../../bindings/operations';
import { Button, DataTable, QueryError, Tag } from '../../components';
import { useOperationQuery } from '../../operations';
import { nameTransaction, type TransactionChoice } from '../../workbench/transactionChoices';
import { TransactionSearchDialog } from '../../workbench/TransactionSearchDialog';
import { formatBytes } from '../../values/count';

interface Shared {
  /** All go to the transaction that was on screen. */
  isTargetKnown: boolean;
  codeOf(file: InspectedFile): string;
  transactionOf(file: InspectedFile): TransactionChoice | undefined;
  onCode(file: InspectedFile, code: string): void;
  onTransaction(file: InspectedFile, choice: TransactionChoice): void;
  onRemove(file: InspectedFile): void;
}

/** The files to be uploaded, each with its transaction and type. */
export function UploadFileTable({ looked, ...shared }: Shared & { looked: FileInspection }) {
  const columns = ['File', !shared.isTargetKnown && 'Transaction', 'Document type', { hidden: 'Actions' }];
  return (
    <DataTable className="upload-files" columns={columns}>
      {looked.files.map((file) => (
        <UploadFileRow key={file.handle} file={file} general={looked.choices} {...shared} />
      ))}
    </DataTable>
  );
}

interface RowProps extends Shared {
  file: InspectedFile;
  /** Types where the transaction is not known. */
  general: FileInspection['choices'];
}

function UploadFileRow({ file, general, isTargetKnown, codeOf, transactionOf, ...props }: RowProps) {
  const transaction = transactionOf(file);
  const code = codeOf(file);
  // The state's documents for this transaction; nothing is read again.
  const ofTransaction = useOperationQuery(
    'documents_inspect',
    { handles: [], target: transaction?.target ?? { transaction_id: '', invoice_number: '' } },
    { enabled: !isTargetKnown && transaction !== undefined },
  );
  const choices = ofTransaction.data?.choices ?? general;
  const remove = (
    <td className="row-actions">
      <Button small aria-label={`Remove ${file.file_name} from the list`} onClick={() => props.onRemove(file)}>
        Remove
      </Button>
    </td>
  );
  const name = (
    <td className="file-name">
      {file.file_name}
      <span className="below">{[file.kind, formatBytes(file.bytes)].filter(Boolean).join(', ')}</span>
      {file.sha256 !== '' && (
        <span className="below" title={file.sha256}>
          SHA-256 {file.sha256.slice(0, 12)}…<span className="only-read">{file.sha256.slice(12)}</span>
        </span>
      )}
    </td>
  );
  if (file.refused !== null)
    return (
      <tr>
        {name}
        <td colSpan={isTargetKnown ? 1 : 2}>
          <Tag tone="error" icon>
            not accepted
          </Tag>{' '}
          {file.refused}
        </td>
        {remove}
      </tr>
    );
  return (
    <tr>
      {name}
      {!isTargetKnown && (
        <td>
          <TransactionCell
            file={file}
            transaction={transaction}
            onChoose={(choice) => props.onTransaction(file, choice)}
          />
          <QueryError of={ofTransaction} />
        </td>
      )}
      <td>
        <select
          className="code-choice"
          aria-label={`Type of ${file.file_name}`}
          value={code}
          onChange={(event) => props.onCode(file, event.target.value)}
        >
          <option value="">Choose…</option>
          {!choices.some((choice) => choice.code === code) && code !== '' && <option value={code}>{code}</option>}
          {choices.map((choice) => (
            <option key={`${choice.code} ${choice.name}`} value={choice.code}>
              {choice.name} ({choice.code}){choice.required ? ', required' : ''}
            </option>
          ))}
        </select>
      </td>
      {remove}
    </tr>
  );
}

interface CellProps {
  file: InspectedFile;
  transaction: TransactionChoice | undefined;
  onChoose(choice: TransactionChoice): void;
}

/** The transaction of a file, and the way to another one. */
function TransactionCell({ file, transaction, onChoose }: CellProps) {
  const [isOpen, setIsOpen] = useState(false);
  const several = file.transactions.length;
  return (
    <div className="split">
      <div>
        {transaction ? (
          <>
            {transaction.title}
            <span className="below">{transaction.extra}</span>
          </>
        ) : (
          <span className={several > 1 ? 'quiet-text' : 'quiet-text no-wrap'}>
            {several > 1 ? `${several} transactions have this number` : 'No match'}
          </span>
        )}
      </div>
      <Button
        small
        aria-label={`${transaction ? 'Change' : 'Choose'} the transaction of ${file.file_name}`}
        onClick={() => setIsOpen(true)}
      >
        {transaction ? 'Change' : 'Choose…'}
      </Button>
      {isOpen && (
        <TransactionSearchDialog
          suggested={file.transactions.map(nameTransaction)}
          onPick={onChoose}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}
