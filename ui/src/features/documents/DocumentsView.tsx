import './documents.css';

import { useActions } from '../../actions/ActionRegistry';
import { Button } from '../../components/Button';
import { Icon } from '../../components/Icon';
import { ViewHead } from '../../components/ViewHeader';
import { useNotices } from '../../operations/toasts';
import { useDo } from '../../operations/useOperation';
import { useUploads } from './useUploads';
import { useDocumentPlace } from '../../workbench/documentPlace';
import { Missing } from './MissingDocuments';
import { Queue } from './UploadQueue';
import { TransactionPane } from './TransactionDocumentsPane';
import { UploadDialog } from './UploadDialog';
import { counted } from './uploadLabels';

const NO_TARGET = { transaction_id: '', invoice_number: '' };

/** Documents: what is missing, what is on its way, and those of one transaction. */
export function DocumentsView() {
  const { transaction, open, arriving, arrive } = useDocumentPlace();
  const queue = useUploads().data;
  const { fail } = useNotices();
  const choosing = useDo('documents_choose');
  const choose = (code = '') =>
    choosing.mutate(
      {},
      {
        onSuccess: ({ handles }) => {
          if (handles.length > 0) arrive({ handles, target: { ...NO_TARGET, transaction_id: transaction }, code });
        },
        onError: fail,
      },
    );
  useActions([
    { id: 'documents.choose', title: 'Upload documents', group: 'Documents', keys: 'Mod+O', run: () => choose() },
    ...(transaction ? [{ id: 'documents.list', title: 'All documents', group: 'Documents', run: () => open('') }] : []),
  ]);
  const note = queue && queue.open > 0 ? `${counted(queue.open, 'document')} on the way` : '';
  return (
    <div className="view documents">
      <ViewHead title="Documents" note={note}>
        <Button
          look="primary"
          keys="Mod+O"
          off={choosing.isPending && 'Files are being chosen.'}
          onClick={() => choose()}
        >
          Upload
        </Button>
      </ViewHead>
      <div className="lists documents-body">
        {transaction ? (
          <TransactionPane id={transaction} onBack={() => open('')} onUpload={choose} />
        ) : (
          <>
            <div className="card drop-here">
              <Icon name="download" />
              <div>
                <strong>Drop documents anywhere on this window</strong>
                <p>
                  PDF, images or Office files, one or many, up to 25 MB each. You say which transaction and what kind
                  they are before anything is sent.
                </p>
              </div>
            </div>
            <Missing onOpen={open} />
            <Queue onOpen={open} />
          </>
        )}
      </div>
      {arriving && <UploadDialog key={arriving.handles.join()} arriving={arriving} onClose={() => arrive(null)} />}
    </div>
  );
}
