import { useState } from 'react';

import type { LostDecision, UploadView } from '../../bindings/operations';
import {
  Button,
  ConfirmationField,
  DataTable,
  Dialog,
  Evidence,
  isConfirmationTyped,
  QueryError,
  WordTag,
} from '../../components';
import { useOperationAction } from '../../operations';
import { useUploads } from './useUploads';
import { formatWhen, matchScore } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { UPLOAD_STATE_LABELS } from './uploadLabels';
import { formatBytes } from '../../values/count';

/** What was uploaded, what is being uploaded, and how far it is. */
export function UploadQueue({ search, onOpen }: { search: string; onOpen(transaction: string): void }) {
  const queue = useUploads();
  if (queue.error) return <QueryError of={queue} />;
  const now = queue.data;
  if (!now || now.uploads.length === 0) return null;
  const all = now.ended_bytes + now.open_bytes;
  const found = now.uploads.filter((upload) => matchScore(search, searchText(upload)) !== null);
  return (
    <section className="card" aria-label="Uploads">
      <h2>Uploads</h2>
      {now.open > 0 && (
        <p className="in-line inset">
          <progress max={Math.max(all, 1)} value={now.ended_bytes} aria-label="Upload progress" />
          {formatBytes(now.ended_bytes)} of {formatBytes(all)}
        </p>
      )}
      {found.length > 0 ? (
        <UploadTable uploads={found} onOpen={onOpen} />
      ) : (
        <p className="none">No uploads match “{search}”.</p>
      )}
    </section>
  );
}

function searchText({ file_name, code, name, transaction_id, invoice_number }: UploadView): string {
  return [file_name, code, name, transaction_id, invoice_number].join(' ');
}

export function UploadTable({ uploads, onOpen }: { uploads: UploadView[]; onOpen?: (transaction: string) => void }) {
  return (
    <DataTable
      columns={[
        'File',
        'Type',
        onOpen !== undefined && 'Transaction',
        'Status',
        'SHA-256',
        'Date',
        { hidden: 'Actions' },
      ]}
    >
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} onOpen={onOpen} />
      ))}
    </DataTable>
  );
}

function UploadRow({ upload, onOpen }: { upload: UploadView; onOpen: ((transaction: string) => void) | undefined }) {
  const { reference } = useWorkbench();
  const refresh: ['documents_queue', 'transaction_documents', 'documents_missing'] = [
    'documents_queue',
    'transaction_documents',
    'documents_missing',
  ];
  const canceling = useOperationAction('upload_cancel', refresh);
  const retrying = useOperationAction('upload_retry', refresh);
  const deciding = useOperationAction('upload_decide', refresh);
  const [confirming, setConfirming] = useState(false);
  const decide = (decision: LostDecision, typed = '') => deciding.mutate({ id, decision, typed });
  const sendAgain = (typed = '') => (upload.asks ? decide('send_again', typed) : retrying.mutate({ id, typed }));
  const state = UPLOAD_STATE_LABELS[upload.state];
  const id = upload.id;
  return (
    <tr data-state={upload.state}>
      <td>
        {upload.file_name}
        <span className="below">
          {upload.kind}, {formatBytes(upload.bytes)}
        </span>
      </td>
      <td>
        {upload.code}
        <span className="below">{upload.name}</span>
      </td>
      {onOpen && (
        <td>
          {upload.transaction_id === '' ? (
            `Invoice ${upload.invoice_number}`
          ) : (
            <button type="button" className="link-button" onClick={() => onOpen(upload.transaction_id)}>
              {upload.transaction_id}
            </button>
          )}
        </td>
      )}
      <td>
        <WordTag of={state} />
        {upload.state === 'sending' && (
          <progress max={upload.bytes} value={upload.sent_bytes} aria-label={`Sending ${upload.file_name}`} />
        )}
        {upload.message !== '' && <span className="below wide">{upload.message}</span>}
        <Evidence
          about={upload.file_name}
          stage={upload.stage}
          evidence={upload.evidence === null ? [] : [upload.evidence]}
        />
      </td>
      <td className="hash" title={upload.sha256}>
        {upload.sha256.slice(0, 12)}…<span className="only-read">{upload.sha256.slice(12)}</span>
      </td>
      <td className="quiet-text">{formatWhen(upload.ended_at ?? upload.created_at, reference.today)}</td>
      <td className="row-actions">
        {upload.can_cancel && (
          <Button small aria-label={`Cancel ${upload.file_name}`} onClick={() => canceling.mutate({ id })}>
            Cancel
          </Button>
        )}
        {upload.asks && (
          <>
            <Button small aria-label={`${upload.file_name} was received`} onClick={() => decide('arrived')}>
              It was received
            </Button>
            <Button small aria-label={`Look again for ${upload.file_name}`} onClick={() => decide('look_again')}>
              Look again
            </Button>
          </>
        )}
        {(upload.can_retry || upload.asks) && (
          <Button
            small
            aria-label={`Send ${upload.file_name} again`}
            onClick={() => (upload.environment === 'production' ? setConfirming(true) : sendAgain())}
          >
            Send again
          </Button>
        )}
        {confirming && (
          <SendAgainDialog
            upload={upload}
            onClose={() => setConfirming(false)}
            onSend={(typed) => {
              setConfirming(false);
              sendAgain(typed);
            }}
          />
        )}
      </td>
    </tr>
  );
}

interface SendAgainProps {
  upload: UploadView;
  onClose(): void;
  onSend(typed: string): void;
}

/** Whatever goes to production once more has the profile's name typed for it. */
function SendAgainDialog({ upload, onClose, onSend }: SendAgainProps) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      title="Send again"
      onClose={onClose}
      action={{
        label: 'Send again',
        look: 'danger',
        disabledReason: !isConfirmationTyped(upload.profile, typed) && `Type ${upload.profile} first.`,
        onClick: () => onSend(typed),
      }}
    >
      <p>Send {upload.file_name} again only if the document isn’t at the service.</p>
      <ConfirmationField word={upload.profile} typed={typed} onTyped={setTyped} />
    </Dialog>
  );
}
