import { useEffect, useRef, useState } from 'react';

import type { KeptDocument, KeptDocumentId, TransactionDocuments, WantedDocument } from '../../bindings/operations';
import { Button, ConfirmDialog, DataTable, QueryError, Tag } from '../../components';
import { useOperationAction, useOperationQuery, useToasts } from '../../operations';
import { useUploads } from './useUploads';
import { useDiligentPlace } from '../../workbench/diligentPlace';
import { useOpenTransaction } from '../../workbench/transactionPlace';
import { UploadTable } from './UploadQueue';
import { formatBytes } from '../../values/count';
import { isFocusLost } from '../../values/focus';
import { useFileSave } from '../../operations/useOperation';
import { TableCard } from '../../components/DataTable';

const DOWNLOAD_POLL_MS = 250;

interface Props {
  id: string;
  onBack(): void;
  onUpload(code: string): void;
}

/** The documents of one transaction: what the state asks for, what the service has, what is being uploaded. */
export function TransactionDocumentsPane({ id, onBack, onUpload }: Props) {
  const show = useOpenTransaction();
  const { openForms: forms } = useDiligentPlace();
  const asked = useOperationQuery(
    'transaction_documents',
    { transaction_id: id, invoice_number: '' },
    { alwaysRefetch: true },
  );
  // Refreshes the page while something is being uploaded.
  const open = useUploads().data?.open ?? 0;
  const refetch = asked.refetch;
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) void refetch();
    first.current = false;
  }, [open, refetch]);
  return (
    <>
      <p className="buttons">
        <Button onClick={onBack}>All documents</Button>
        <Button onClick={() => show(id)}>Open transaction</Button>
        <Button onClick={() => forms(id)}>Fill forms</Button>
      </p>
      <QueryError of={asked} />
      {asked.data && <DocumentSections of={asked.data} onUpload={onUpload} />}
    </>
  );
}

function DocumentSections({ of, onUpload }: { of: TransactionDocuments; onUpload(code: string): void }) {
  const others = of.wanted.filter((document) => !document.required && !document.upload);
  const needed = of.wanted.filter((document) => document.required || document.upload);
  const nameOf = (code: string) => of.wanted.find((document) => document.code === code)?.name ?? code;
  const heading = useRef<HTMLHeadingElement>(null);
  // The list it was opened from is gone, with what had the focus there.
  useEffect(() => {
    if (isFocusLost() || document.activeElement?.closest('.documents-body, main h1'))
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <section className="card" aria-label="Transaction">
        <h2 ref={heading} tabIndex={-1}>
          {of.policy_number || `Transaction ${of.transaction_id}`}{' '}
          <span className="quiet-text">
            {of.insured}, {of.state} {of.transaction_type}, transaction {of.transaction_id}
          </span>
        </h2>
        <p className="none">
          {of.missing.length === 0 ? (
            <Tag tone="ok" icon>
              No documents missing for filing
              {needed.some((each) => !each.there && !each.queued) && ', some are requested'}
            </Tag>
          ) : (
            <Tag tone="warn" icon>
              Missing for filing: {of.missing.map(nameOf).join(', ')}
            </Tag>
          )}
        </p>
        {needed.length > 0 && <RequestedDocuments title="To upload" documents={needed} onUpload={onUpload} />}
        {others.length > 0 && (
          <RequestedDocuments title="Also on the state’s list" documents={others} onUpload={onUpload} />
        )}
      </section>
      <TableCard
        title="At the service"
        columns={['Code', 'Document', { hidden: 'Actions' }]}
        none={of.documents.length === 0 && 'The service has no documents for this transaction yet.'}
      >
        {of.documents.map((document) => (
          <ServiceDocumentRow key={document.number} document={document} transaction={of.transaction_id} />
        ))}
      </TableCard>
      {of.uploads.length > 0 && (
        <section className="card" aria-label="Uploads">
          <h2>Uploads</h2>
          <UploadTable uploads={of.uploads} />
        </section>
      )}
    </>
  );
}

/** Of the same widths in each table. */
const DOCUMENT_COLUMNS = [
  'Document',
  { text: 'Code', width: '12rem' },
  { text: 'Status', width: '36rem' },
  { hidden: 'Actions' },
];

interface RequestedDocumentsProps {
  title: string;
  documents: WantedDocument[];
  onUpload(code: string): void;
}

function RequestedDocuments({ title, documents, onUpload }: RequestedDocumentsProps) {
  return (
    <>
      <h3>{title}</h3>
      <DataTable columns={DOCUMENT_COLUMNS}>
        {documents.map((document) => (
          <tr key={`${document.code} ${document.name}`}>
            <td>
              {document.name}
              {(document.signature !== '' || document.note !== '') && (
                <span className="below">
                  {[document.signature && `Signed by: ${document.signature}`, document.note].filter(Boolean).join('. ')}
                </span>
              )}
            </td>
            <td>{document.code}</td>
            <td>
              <DocumentStatus of={document} />
            </td>
            <td className="row-actions">
              <Button small aria-label={`Upload ${document.name}`} onClick={() => onUpload(document.code)}>
                Upload
              </Button>
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

function DocumentStatus({ of }: { of: WantedDocument }) {
  if (of.there)
    return (
      <Tag tone="ok" icon>
        on file{' '}
      </Tag>
    );
  if (of.queued) return <Tag tone="info">uploading</Tag>;
  if (of.required)
    return (
      <Tag tone="warn" icon>
        required for filing
      </Tag>
    );
  return <span className="quiet-text">{of.upload ? 'requested' : 'keep on file, or include with the policy'}</span>;
}

/** How far a document is that is being fetched, and the way to give it up. Nothing is shown while a place is chosen. */
function DownloadProgress({ document, which }: { document: KeptDocument; which: KeptDocumentId }) {
  const { showToast } = useToasts();
  const fetching = useOperationQuery(
    'transaction_documents_fetching',
    {},
    {
      alwaysRefetch: true,
      refetchEvery: DOWNLOAD_POLL_MS,
    },
  );
  const canceling = useOperationAction('transaction_document_download_cancel', ['transaction_documents_fetching']);
  const now = fetching.data?.downloads.find(
    (each) => each.transaction_id === which.transaction_id && each.number === which.number,
  );
  if (!now) return null;
  const cancel = () =>
    canceling.mutate(which, {
      onSuccess: () => showToast(`Download of ${document.name} canceled.`),
    });
  return (
    <span className="buttons">
      <progress aria-label={`Downloading ${document.name}`} />
      <span className="quiet-text">{now.bytes === 0 ? 'Requesting…' : `${formatBytes(now.bytes)} downloaded`}</span>
      <Button small aria-label={`Cancel download of ${document.name}`} onClick={cancel}>
        Cancel
      </Button>
    </span>
  );
}

function ServiceDocumentRow({ document, transaction }: { document: KeptDocument; transaction: string }) {
  const saving = useFileSave('transaction_document_download');
  const opening = useOperationAction('transaction_document_open');
  const which = { transaction_id: transaction, number: document.number };
  const [question, setQuestion] = useState('');
  const open = () =>
    opening.mutate({ document: which, confirmed: false }, { onSuccess: (opened) => setQuestion(opened.question) });
  return (
    <tr>
      <td>{document.code}</td>
      <td>
        {document.name}
        {(saving.isPending || opening.isPending) && <DownloadProgress document={document} which={which} />}
      </td>
      <td className="row-actions">
        <Button small aria-label={`Open ${document.name}`} busy={opening.isPending} onClick={open}>
          Open
        </Button>{' '}
        <Button small aria-label={`Save ${document.name}`} busy={saving.isPending} onClick={() => saving.save(which)}>
          Save
        </Button>
        {question !== '' && (
          <ConfirmDialog
            title={`Open ${document.name}?`}
            keep="Don’t open"
            act="Open anyway"
            operation="transaction_document_open"
            request={{ document: which, confirmed: true }}
            refresh={[]}
            done={`Opened ${document.name}.`}
            onClose={() => setQuestion('')}
          >
            {question}
          </ConfirmDialog>
        )}
      </td>
    </tr>
  );
}
