import { useEffect, useState } from 'react';

import type { DocumentsLooked, LookedFile } from '../../bindings/operations';
import {
  Button,
  ConfirmationField,
  DataTable,
  Dialog,
  ErrorBox,
  Field,
  isConfirmationTyped,
  QueryError,
  SendTarget,
  Tag,
} from '../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../operations';
import type { PendingUpload } from '../../workbench/documentPlace';
import { pluralize } from '../../values';
import { formatBytes } from '../../values/count';

interface Props {
  arriving: PendingUpload;
  onClose(): void;
}

/** Files that were dropped or chosen: looked at, given kind and transaction, then stored and sent. */
export function UploadDialog({ arriving, onClose }: Props) {
  const [target, setTarget] = useState(arriving.target);
  const [looked, setLooked] = useState<DocumentsLooked | null>(null);
  const [codes, setCodes] = useState<Record<string, string>>({});
  const looking = useOperationMutation('documents_look');
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
  // Once, as they arrived; a transaction typed later only changes where they go.
  useEffect(
    () => look({ handles: arriving.handles, target: arriving.target }, { onSuccess: setLooked }),
    [look, arriving],
  );
  const choices = looked?.choices ?? [];
  const ready = looked?.files.filter((file) => file.refused === null) ?? [];
  const codeOf = (file: LookedFile) => codes[file.handle] ?? (arriving.code || file.code);
  const uncoded = ready.filter((file) => codeOf(file) === '').length;
  const bytes = ready.reduce((sum, file) => sum + file.bytes, 0);
  const confirmed = isConfirmationTyped(to.data?.type_word, typed);
  const known = arriving.target.transaction_id !== '';
  const addressed = target.transaction_id.trim() !== '' || target.invoice_number.trim() !== '';
  const asked = [
    [ready.length === 0, 'None of these files can be uploaded.'],
    [!addressed, 'Enter a transaction or invoice number first.'],
    [uncoded > 0, 'Choose a type for each document first.'],
    [!confirmed, 'Enter the confirmation first.'],
    [sending.isPending, 'Working…'],
  ] as const;
  const why = asked.find(([missing]) => missing)?.[1];
  const send = () =>
    sending.mutate(
      {
        target,
        files: ready.map((file) => ({ handle: file.handle, code: codeOf(file), sha256: file.sha256 })),
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
      title={known ? `Upload to transaction ${target.transaction_id}` : 'Upload documents'}
      wide
      hasInput
      onClose={onClose}
      scrollLabel="Files"
      error={looking.error}
      foot={
        <>
          <span className="quiet-text">
            {ready.length > 0 && `${pluralize(ready.length, 'document')}, ${formatBytes(bytes)}`}
          </span>
          <span className="spring" />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabledReason={why} onClick={send}>
            {`Upload ${pluralize(ready.length, 'document')}`}
          </Button>
        </>
      }
    >
      {' '}
      {sending.error && <ErrorBox error={sending.error} />}
      <QueryError of={to} />
      {to.data && <SendTarget target={to.data} />}
      {!known && (
        <div className="pair">
          <Field
            label="Transaction number"
            inputMode="numeric"
            value={target.transaction_id}
            onChange={(transaction_id) => setTarget({ transaction_id, invoice_number: '' })}
          />
          <Field
            label="Or invoice number"
            value={target.invoice_number}
            onChange={(invoice_number) => setTarget({ transaction_id: '', invoice_number })}
          />
        </div>
      )}
      {looking.isPending && <p>Reading files…</p>}
      {looked && <FileTable files={looked.files} choices={choices} codeOf={codeOf} onCode={setCodes} />}
      {to.data && <ConfirmationField word={to.data.type_word} typed={typed} onTyped={setTyped} />}
    </Dialog>
  );
}

interface FileTableProps {
  files: LookedFile[];
  choices: DocumentsLooked['choices'];
  codeOf(file: LookedFile): string;
  onCode(change: (codes: Record<string, string>) => Record<string, string>): void;
}

function FileTable({ files, choices, codeOf, onCode }: FileTableProps) {
  return (
    <DataTable columns={['File', 'Format', 'Document type', 'SHA-256']}>
      {files.map((file) => (
        <tr key={file.handle}>
          <td>
            {file.file_name}
            <span className="below">{formatBytes(file.bytes)}</span>
          </td>
          {file.refused === null ? (
            <>
              <td>{file.kind}</td>
              <td>
                <select
                  className="code-choice"
                  aria-label={`Type of ${file.file_name}`}
                  value={codeOf(file)}
                  onChange={(event) => {
                    const code = event.target.value;
                    onCode((codes) => ({ ...codes, [file.handle]: code }));
                  }}
                >
                  <option value="">Choose…</option>
                  {choices.map((choice) => (
                    <option key={`${choice.code} ${choice.name}`} value={choice.code}>
                      {choice.name} ({choice.code}){choice.required ? ', required' : ''}
                    </option>
                  ))}
                </select>
              </td>
              <td className="hash" title={file.sha256}>
                {file.sha256.slice(0, 12)}…<span className="only-read">{file.sha256.slice(12)}</span>
              </td>
            </>
          ) : (
            <td colSpan={3}>
              <Tag tone="error" icon>
                not accepted
              </Tag>{' '}
              {file.refused}
            </td>
          )}
        </tr>
      ))}
    </DataTable>
  );
}
