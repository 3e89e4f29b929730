import type { UploadView } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Tag } from '../../components/Tag';
import { Problem } from '../../components/ErrorBox';
import { useNotices } from '../../operations/toasts';
import { useDo } from '../../operations/useOperation';
import { useUploads } from './useUploads';
import { whenOf } from '../../values/date';
import { useWorkbench } from '../../workbench/Workbench';
import { size, UPLOAD_STATES } from './uploadLabels';

/** What was uploaded, what is on its way, and how far. */
export function Queue({ onOpen }: { onOpen(transaction: string): void }) {
  const queue = useUploads();
  if (queue.error) return <Problem error={queue.error} onRemedy={() => void queue.refetch()} />;
  const now = queue.data;
  if (!now || now.uploads.length === 0) return null;
  const all = now.ended_bytes + now.open_bytes;
  return (
    <section className="card" aria-label="Uploads">
      <h2>Uploads</h2>
      {now.open > 0 && (
        <p className="progress-line">
          <progress max={Math.max(all, 1)} value={now.ended_bytes} aria-label="Bytes sent" />
          {size(now.ended_bytes)} of {size(all)}
        </p>
      )}
      <Uploads uploads={now.uploads} onOpen={onOpen} />
    </section>
  );
}

export function Uploads({ uploads, onOpen }: { uploads: UploadView[]; onOpen?: (transaction: string) => void }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Kind</th>
          {onOpen && <th scope="col">Transaction</th>}
          <th scope="col">State</th>
          <th scope="col">SHA-256</th>
          <th scope="col">When</th>
          <th scope="col">
            <span className="only-read">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ upload, onOpen }: { upload: UploadView; onOpen: ((transaction: string) => void) | undefined }) {
  const { reference } = useWorkbench();
  const { fail } = useNotices();
  const refresh: ['documents_queue', 'transaction_documents', 'documents_missing'] = [
    'documents_queue',
    'transaction_documents',
    'documents_missing',
  ];
  const cancelling = useDo('document_cancel', refresh);
  const retrying = useDo('document_retry', refresh);
  const state = UPLOAD_STATES[upload.state];
  const id = upload.id;
  return (
    <tr data-state={upload.state}>
      <td>
        {upload.file_name}
        <span className="below">
          {upload.kind}, {size(upload.bytes)}
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
        <Tag tone={state.tone} {...(state.icon ? { icon: state.icon } : {})}>
          {state.word}
        </Tag>
        {upload.state === 'sending' && (
          <progress max={upload.bytes} value={upload.sent_bytes} aria-label={`Sending ${upload.file_name}`} />
        )}
        {upload.message !== '' && <span className="below wide">{upload.message}</span>}
      </td>
      <td className="hash" title={upload.sha256}>
        {upload.sha256.slice(0, 12)}…<span className="only-read">{upload.sha256.slice(12)}</span>
      </td>
      <td className="quiet-text">{whenOf(upload.ended_at ?? upload.created_at, reference.today)}</td>
      <td className="row-actions">
        {upload.can_cancel && (
          <Button
            small
            aria-label={`Cancel ${upload.file_name}`}
            onClick={() => cancelling.mutate({ id }, { onError: fail })}
          >
            Cancel
          </Button>
        )}
        {upload.can_retry && (
          <Button
            small
            aria-label={`Send ${upload.file_name} again`}
            onClick={() => retrying.mutate({ id }, { onError: fail })}
          >
            Send again
          </Button>
        )}
      </td>
    </tr>
  );
}
