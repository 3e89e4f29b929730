import { useState } from 'react';

import type { FilledForms, FilledFormView } from '../../../bindings/operations';
import { FindTransactionButton } from '../../../workbench/FindTransactionButton';
import {
  Button,
  ConfirmationField,
  Dialog,
  Field,
  Icon,
  isConfirmationTyped,
  QueryError,
  SendTarget,
  Tag,
} from '../../../components';
import { PrintedPages } from '../../../components/PrintedPages';
import { useOperationAction, useOperationMutation, useOperationQuery, useToasts } from '../../../operations';
import { useFileSave } from '../../../operations/useOperation';

interface Props {
  filled: FilledForms;
  transaction: string;
  onTransaction(id: string): void;
}

/** The filled forms: what is missing, what to do with them, their pages. */
export function FilledFormList({ filled, transaction, onTransaction }: Props) {
  return (
    <>
      {filled.note && <p className="note-box">{filled.note}</p>}
      {filled.forms.map((form) => (
        <FilledForm key={form.handle} form={form} transaction={transaction} onTransaction={onTransaction} />
      ))}
    </>
  );
}

function FilledForm({ form, transaction, onTransaction }: { form: FilledFormView } & Omit<Props, 'filled'>) {
  const [uploading, setUploading] = useState(false);
  const { save } = useFileSave('form_save');
  const print = useOperationAction('form_print');
  const { showToast } = useToasts();
  const { handle } = form;
  const onPrint = () =>
    print.mutate({ handle }, { onSuccess: () => showToast('Opened in your PDF viewer. Print it from there.') });
  return (
    <section className="card card-body filled-form" aria-label={form.name}>
      <h2>
        {form.name} <Tag tone="neutral">{form.code}</Tag>{' '}
        {form.complete ? (
          <Tag tone="ok" icon>
            complete
          </Tag>
        ) : (
          <Tag tone="warn" icon>
            partly filled in{' '}
          </Tag>
        )}
      </h2>
      <p className="quiet-text">
        {form.service ? 'Filled by the service' : 'Filled on this computer'}, {form.file_name}
      </p>
      {form.missing.length > 0 && (
        <details>
          <summary>{form.missing.length} missing</summary>
          <ul>
            {form.missing.map((missing) => (
              <li key={missing.name}>{missing.label}</li>
            ))}
          </ul>
        </details>
      )}
      <p className="buttons">
        <Button look="primary" onClick={() => save({ handle })} aria-label={`Save ${form.name}`}>
          <Icon name="download" /> Save
        </Button>
        <Button onClick={onPrint} aria-label={`Open ${form.name} to print`}>
          Open to print
        </Button>
        <Button onClick={() => setUploading(true)} aria-label={`Upload ${form.name} to its transaction`}>
          Upload
        </Button>
      </p>
      {form.pages.length > 0 ? (
        <PrintedPages pages={form.pages} name={form.name} />
      ) : (
        <p className="quiet-text">Preview isn’t available. Open the file to view it.</p>
      )}
      {uploading && (
        <UploadFormDialog
          form={form}
          transaction={transaction}
          onTransaction={onTransaction}
          onClose={() => setUploading(false)}
        />
      )}
    </section>
  );
}

interface UploadProps extends Omit<Props, 'filled'> {
  form: FilledFormView;
  onClose(): void;
}

function UploadFormDialog({ form, transaction, onTransaction, onClose }: UploadProps) {
  const upload = useOperationMutation('form_upload', [
    'documents_queue',
    'transaction_documents',
    'documents_missing',
    'confirmation_show',
  ]);
  const [typed, setTyped] = useState('');
  const to = useOperationQuery('confirmation_show', {}, { alwaysRefetch: true });
  const { showToast } = useToasts();
  const production = to.data?.environment === 'production';
  const send = () =>
    upload.mutate(
      { handle: form.handle, transaction_id: transaction, typed: typed.trim() },
      {
        onSuccess: (queued) => {
          showToast(`Uploading ${queued.file_name} to transaction ${queued.transaction_id}.`);
          onClose();
        },
      },
    );
  const why = upload.isPending
    ? 'Working…'
    : transaction.trim() === ''
      ? 'Enter the transaction number first.'
      : !isConfirmationTyped(to.data?.type_word, typed) && 'Enter the confirmation first.';
  return (
    <Dialog
      title="Upload to a transaction"
      hasInput
      onClose={onClose}
      error={upload.error}
      action={{ label: production ? 'Upload to production' : 'Upload', disabledReason: why, onClick: send }}
    >
      <QueryError of={to} />
      {to.data && <SendTarget target={to.data} />}
      {!form.complete && <p className="note-box">This form is only partly filled in.</p>}
      <p>
        {form.file_name} is added to the upload queue with code {form.code}.
      </p>
      <div className="buttons at-end">
        <Field
          label="Transaction number"
          inputMode="numeric"
          value={transaction}
          onChange={onTransaction}
          pointer="/transaction_id"
        />
        <FindTransactionButton onFound={onTransaction} />
      </div>
      {to.data && <ConfirmationField word={to.data.type_word} typed={typed} onTyped={setTyped} />}
    </Dialog>
  );
}
