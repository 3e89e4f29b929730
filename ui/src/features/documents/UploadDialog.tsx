import { useEffect, useState } from 'react';

import type { FileInspection, DocumentTarget, InspectedFile } from '../../bindings/operations';
import {
  Button,
  ConfirmationField,
  Dialog,
  ErrorBox,
  isConfirmationTyped,
  QueryError,
  SendTarget,
} from '../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../operations';
import type { PendingUpload } from '../../workbench/documentPlace';
import { nameTransaction, type TransactionChoice } from '../../workbench/transactionChoices';
import { TransactionSearchDialog } from '../../workbench/TransactionSearchDialog';
import { pluralize } from '../../values';
import { formatBytes } from '../../values/count';
import { UploadFileTable } from './UploadFileTable';

const NO_TARGET: DocumentTarget = { transaction_id: '', invoice_number: '' };

interface Props {
  arriving: PendingUpload;
  onClose(): void;
}

/** The transaction that the numbers in a file's name name, where it is only one. */
function proposedTransaction(file: InspectedFile): TransactionChoice | undefined {
  const [only, ...others] = file.transactions;
  return only && others.length === 0 ? nameTransaction(only) : undefined;
}

/** Files that were dropped or chosen: looked at, given kind and transaction, then stored and sent. */
export function UploadDialog({ arriving, onClose }: Props) {
  const [looked, setLooked] = useState<FileInspection | null>(null);
  const [codes, setCodes] = useState<Record<string, string>>({});
  const [chosen, setChosen] = useState<Record<string, TransactionChoice>>({});
  const [isChoosing, setIsChoosing] = useState(false);
  const looking = useOperationMutation('documents_inspect');
  const sending = useOperationMutation('documents_upload', [
    'documents_queue',
    'documents_missing',
    'transaction_documents',
    'confirmation_show',
  ]);
  const { showToast } = useToasts();
  const [typed, setTyped] = useState('');
  const to = useOperationQuery('confirmation_show', {}, { alwaysRefetch: true });
  const { mutate: look } = looking;
  // Once, as they arrived; a transaction chosen later only changes where they go.
  useEffect(
    () => look({ handles: arriving.handles, target: arriving.target }, { onSuccess: setLooked }),
    [look, arriving],
  );
  const known = arriving.target.transaction_id !== '';
  const ready = looked?.files.filter((file) => file.refused === null) ?? [];
  const codeOf = (file: InspectedFile) => codes[file.handle] ?? (arriving.code || file.code);
  const transactionOf = (file: InspectedFile) => chosen[file.handle] ?? proposedTransaction(file);
  const choose = (files: InspectedFile[], choice: TransactionChoice) =>
    setChosen((old) => ({ ...old, ...Object.fromEntries(files.map((file) => [file.handle, choice])) }));
  const remove = (file: InspectedFile) =>
    setLooked((old) => old && { ...old, files: old.files.filter((each) => each !== file) });
  const matched = ready.filter((file) => proposedTransaction(file) !== undefined).length;
  const unassigned = known ? [] : ready.filter((file) => transactionOf(file) === undefined);
  const uncoded = ready.filter((file) => codeOf(file) === '').length;
  const bytes = ready.reduce((sum, file) => sum + file.bytes, 0);
  const confirmed = isConfirmationTyped(to.data?.type_word, typed);
  const asked = [
    [ready.length === 0, 'None of these files can be uploaded.'],
    [unassigned.length > 0, 'Choose a transaction for each document first.'],
    [uncoded > 0, 'Choose a type for each document first.'],
    [!confirmed, 'Enter the confirmation first.'],
    [sending.isPending, 'Working…'],
  ] as const;
  const why = asked.find(([missing]) => missing)?.[1];
  const send = () =>
    sending.mutate(
      {
        target: arriving.target,
        files: ready.map((file) => ({
          handle: file.handle,
          code: codeOf(file),
          sha256: file.sha256,
          target: known ? NO_TARGET : (transactionOf(file)?.target ?? NO_TARGET),
        })),
        typed: typed.trim(),
      },
      {
        onSuccess: ({ uploads, refused }) => {
          showToast(
            refused.length === 0
              ? `Uploading ${pluralize(uploads.length, 'document')}.`
              : `Uploading ${pluralize(uploads.length, 'document')}. Not accepted: ${refused.map((each) => `${each.file_name}: ${each.reason}`).join(' ')}`,
          );
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={known ? `Upload to transaction ${arriving.target.transaction_id}` : 'Upload documents'}
      wide
      hasInput
      onClose={onClose}
      scrollLabel="Files"
      error={looking.error}
      foot={
        ready.length > 0 && (
          <span className="quiet-text">{`${pluralize(ready.length, 'document')}, ${formatBytes(bytes)}`}</span>
        )
      }
      action={{ label: `Upload ${pluralize(ready.length, 'document')}`, disabledReason: why, onClick: send }}
    >
      {sending.error && <ErrorBox error={sending.error} />}
      <QueryError of={to} />
      {to.data && <SendTarget target={to.data} />}
      {looking.isPending && <p>Reading files…</p>}
      {looked && !known && ready.length > 0 && (
        <div className="split match-count">
          <p role="status">{matchSentence(matched, ready.length)}</p>
          {unassigned.length > 1 && (
            <Button
              onClick={() => setIsChoosing(true)}
            >{`Choose one transaction for ${pluralize(unassigned.length, 'document')}`}</Button>
          )}
        </div>
      )}
      {looked && (
        <UploadFileTable
          looked={looked}
          isTargetKnown={known}
          codeOf={codeOf}
          transactionOf={transactionOf}
          onCode={(file, code) => setCodes((old) => ({ ...old, [file.handle]: code }))}
          onTransaction={(file, choice) => choose([file], choice)}
          onRemove={remove}
        />
      )}
      {isChoosing && (
        <TransactionSearchDialog onPick={(choice) => choose(unassigned, choice)} onClose={() => setIsChoosing(false)} />
      )}
      {to.data && <ConfirmationField word={to.data.type_word} typed={typed} onTyped={setTyped} />}
    </Dialog>
  );
}

function matchSentence(matched: number, all: number): string {
  if (matched === 0)
    return all === 1
      ? 'No policy or invoice number was found in the file’s name. Choose its transaction.'
      : 'No policy or invoice numbers were found in the file names. Choose the transactions.';
  return `Matched by policy or invoice number in the file name: ${matched} of ${pluralize(all, 'document')}. Check each before you upload.`;
}
