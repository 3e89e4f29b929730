import './documents.css';

import { useState } from 'react';

import { useActions } from '../../actions/ActionRegistry';
import { Button, Icon, useDebounced, ViewHeader } from '../../components';
import { SearchField } from '../../components/SearchField';
import { useOperationAction } from '../../operations';
import { useUploads } from './useUploads';
import { useDocumentPlace } from '../../workbench/documentPlace';
import { FreshnessNote } from '../../workbench/IndexFreshness';
import { MissingDocuments } from './MissingDocuments';
import { UploadQueue } from './UploadQueue';
import { TransactionDocumentsPane } from './TransactionDocumentsPane';
import { UploadDialog } from './UploadDialog';
import { pluralize } from '../../values';

const PAUSE_MS = 150;
const NO_TARGET = { transaction_id: '', invoice_number: '' };

/** Documents: what is missing, what is being uploaded, and those of one transaction. */
export function DocumentsView() {
  const { transaction, openDocuments, pendingUpload, setPendingUpload } = useDocumentPlace();
  const queue = useUploads().data;
  const choosing = useOperationAction('documents_choose');
  const choose = (code = '') =>
    choosing.mutate(
      {},
      {
        onSuccess: ({ handles }) => {
          if (handles.length > 0)
            setPendingUpload({ handles, target: { ...NO_TARGET, transaction_id: transaction }, code });
        },
      },
    );
  useActions([
    { id: 'documents.choose', title: 'Upload documents', group: 'Documents', keys: 'Mod+O', run: () => choose() },
    ...(transaction
      ? [{ id: 'documents.list', title: 'All documents', group: 'Documents', run: () => openDocuments('') }]
      : []),
  ]);
  const note = queue && queue.open > 0 ? `uploading ${pluralize(queue.open, 'document')}` : '';
  return (
    <div className="view documents">
      <ViewHeader title="Documents" note={<FreshnessNote note={note} />}>
        <Button look="primary" keys="Mod+O" busy={choosing.isPending} onClick={() => choose()}>
          Upload
        </Button>
      </ViewHeader>
      <div className="view-body lists documents-body">
        {transaction ? (
          <TransactionDocumentsPane id={transaction} onBack={() => openDocuments('')} onUpload={choose} />
        ) : (
          <>
            <div className="card drop-zone">
              <Icon name="download" />
              <div>
                <strong>Drop documents anywhere in this window</strong>
                <p>
                  PDF, images, or Office files, up to 25 MB each. You choose the transaction and document type before
                  anything is sent.
                </p>
              </div>
            </div>
            <DocumentLists onOpen={openDocuments} />
          </>
        )}
      </div>
      {pendingUpload && (
        <UploadDialog
          key={pendingUpload.handles.join()}
          arriving={pendingUpload}
          onClose={() => setPendingUpload(null)}
        />
      )}
    </div>
  );
}

/** What is missing and what was uploaded, searched together. */
function DocumentLists({ onOpen }: { onOpen(transaction: string): void }) {
  const [text, setText] = useState('');
  const search = useDebounced(text, PAUSE_MS).trim();
  return (
    <>
      <SearchField
        title="Search documents"
        group="Documents"
        placeholder="Policy, insured, document, or file"
        value={text}
        onChange={setText}
        className="narrow"
      />
      <MissingDocuments search={search} onOpen={onOpen} />
      <UploadQueue search={search} onOpen={onOpen} />
    </>
  );
}
