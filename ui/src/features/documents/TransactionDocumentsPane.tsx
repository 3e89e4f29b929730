import { useEffect, useRef } from 'react';

import type { KeptDocument, KeptDocumentId, TransactionDocuments, WantedDocument } from '../../bindings/operations';
import { Button } from '../../components/Button';
import { Problem } from '../../components/ErrorBox';
import { Tag } from '../../components/Tag';
import { useNotices } from '../../operations/toasts';
import { useAsk, useDo } from '../../operations/useOperation';
import { useUploads } from './useUploads';
import { useDiligentPlace } from '../../workbench/diligentPlace';
import { useOpenTransaction } from '../../workbench/transactionPlace';
import { Uploads } from './UploadQueue';
import { size } from './uploadLabels';

const NOTHING = {};
const FETCHING_MS = 250;

interface Props {
  id: string;
  onBack(): void;
  onUpload(code: string): void;
}

/** The documents of one transaction: what the state asks for, what the service has, what is on its way. */
export function TransactionPane({ id, onBack, onUpload }: Props) {
  const show = useOpenTransaction();
  const { begin: forms } = useDiligentPlace();
  const asked = useAsk('transaction_documents', { transaction_id: id, invoice_number: '' }, { fresh: true });
  // Keeps the page going while something of it is on its way.
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
        <Button onClick={() => show(id)}>The transaction</Button>
        <Button onClick={() => forms(id)}>Fill its forms</Button>
      </p>
      {asked.error && <Problem error={asked.error} onRemedy={() => void asked.refetch()} />}
      {asked.data && <Pane of={asked.data} onUpload={onUpload} />}
    </>
  );
}

function Pane({ of, onUpload }: { of: TransactionDocuments; onUpload(code: string): void }) {
  const others = of.wanted.filter((document) => !document.required && !document.upload);
  const needed = of.wanted.filter((document) => document.required || document.upload);
  return (
    <>
      <section className="card" aria-label="Transaction">
        <h2>
          {of.policy_number || `Transaction ${of.transaction_id}`}{' '}
          <span className="quiet-text">
            {of.insured}, {of.state} {of.transaction_type}, transaction {of.transaction_id}
          </span>
        </h2>
        <p className="none">
          {of.missing.length === 0 ? (
            <Tag tone="ok" icon="check">
              Nothing is missing for the filing
            </Tag>
          ) : (
            <Tag tone="warn" icon="warning">
              Missing for the filing: {of.missing.join(', ')}
            </Tag>
          )}
        </p>
        {needed.length > 0 && <Wanted title="To be uploaded" documents={needed} onUpload={onUpload} />}
        {others.length > 0 && <Wanted title="Also on the state’s list" documents={others} onUpload={onUpload} />}
      </section>
      <section className="card" aria-label="At the service">
        <h2>At the service</h2>
        {of.documents.length === 0 ? (
          <p className="none">The service has no document of this transaction yet.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Code</th>
                <th scope="col">Name</th>
                <th scope="col">
                  <span className="only-read">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {of.documents.map((document) => (
                <Kept key={document.number} document={document} transaction={of.transaction_id} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      {of.uploads.length > 0 && (
        <section className="card" aria-label="Uploads">
          <h2>Uploads</h2>
          <Uploads uploads={of.uploads} />
        </section>
      )}
    </>
  );
}

interface WantedProps {
  title: string;
  documents: WantedDocument[];
  onUpload(code: string): void;
}

function Wanted({ title, documents, onUpload }: WantedProps) {
  return (
    <>
      <h3>{title}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">Code</th>
            <th scope="col">Standing</th>
            <th scope="col">
              <span className="only-read">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <tr key={`${document.code} ${document.name}`}>
              <td>
                {document.name}
                {(document.signature !== '' || document.note !== '') && (
                  <span className="below">
                    {[document.signature && `Signed by: ${document.signature}`, document.note]
                      .filter(Boolean)
                      .join('. ')}
                  </span>
                )}
              </td>
              <td>{document.code}</td>
              <td>
                <Standing of={document} />
              </td>
              <td className="row-actions">
                <Button small aria-label={`Upload ${document.name}`} onClick={() => onUpload(document.code)}>
                  Upload
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Standing({ of }: { of: WantedDocument }) {
  if (of.there)
    return (
      <Tag tone="ok" icon="check">
        there
      </Tag>
    );
  if (of.queued) return <Tag tone="info">on its way</Tag>;
  if (of.required)
    return (
      <Tag tone="warn" icon="warning">
        required for the filing
      </Tag>
    );
  return <span className="quiet-text">{of.upload ? 'asked for' : 'keep, or send with the policy'}</span>;
}

/** How far a document is that is being fetched, and the way to give it up. Nothing is shown while a place is chosen. */
function Fetching({ document, which }: { document: KeptDocument; which: KeptDocumentId }) {
  const { fail, tell } = useNotices();
  const fetching = useAsk('transaction_documents_fetching', NOTHING, { fresh: true, every: FETCHING_MS });
  const cancelling = useDo('transaction_document_cancel', ['transaction_documents_fetching']);
  const now = fetching.data?.downloads.find(
    (each) => each.transaction_id === which.transaction_id && each.number === which.number,
  );
  if (!now) return null;
  const cancel = () =>
    cancelling.mutate(which, { onSuccess: () => tell(`Cancelled: ${document.name} was not fetched.`), onError: fail });
  return (
    <span className="fetching">
      <progress aria-label={`Fetching ${document.name}`} />
      <span className="quiet-text">{now.bytes === 0 ? 'Asking for it' : `${size(now.bytes)} fetched`}</span>
      <Button small aria-label={`Cancel fetching ${document.name}`} onClick={cancel}>
        Cancel
      </Button>
    </span>
  );
}

function Kept({ document, transaction }: { document: KeptDocument; transaction: string }) {
  const { fail, tell } = useNotices();
  const saving = useDo('transaction_document_save');
  const opening = useDo('transaction_document_open');
  const which = { transaction_id: transaction, number: document.number };
  return (
    <tr>
      <td>{document.code}</td>
      <td>
        {document.name}
        {(saving.isPending || opening.isPending) && <Fetching document={document} which={which} />}
      </td>
      <td className="row-actions">
        <Button
          small
          aria-label={`Open ${document.name}`}
          off={opening.isPending && 'It is being fetched.'}
          onClick={() => opening.mutate(which, { onError: fail })}
        >
          Open
        </Button>{' '}
        <Button
          small
          aria-label={`Save ${document.name}`}
          off={saving.isPending && 'It is being fetched.'}
          onClick={() =>
            saving.mutate(which, {
              onSuccess: ({ saved, file_name }) => saved && tell(`Saved ${file_name}.`),
              onError: fail,
            })
          }
        >
          Save
        </Button>
      </td>
    </tr>
  );
}
