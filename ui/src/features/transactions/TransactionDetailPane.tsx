import { useEffect, useRef, useState } from 'react';

import type { ComparedAmount, TimelineStep, TransactionDetail } from '../../bindings/operations';
import { Button, CloseButton, ErrorBox, Icon, SourceLink, SURENESS_TAGS, Tag, WordTag } from '../../components';
import { useOperationAction, useToasts } from '../../operations';
import { formatAmount, formatLongDate, formatMoney, formatServiceText, formatWhen } from '../../values';
import { usePersonName } from '../../workbench/Assignment';
import { useBatchPlace } from '../../workbench/batchPlace';
import { useWorkbench } from '../../workbench/Workbench';
import { useDiligentPlace } from '../../workbench/diligentPlace';
import { useDocumentPlace } from '../../workbench/documentPlace';
import { useInvalidateIndex, useIndexQuery } from './useIndexQueries';
import { DataTable } from '../../components/DataTable';
import { useImportFields } from '../batches/bordereauFields';

interface Props {
  id: string;
  /** It was opened from another view and takes the focus. */
  focus: boolean;
  onClose(): void;
}

/** Everything about one transaction, beside the table. */
export function TransactionDetailPane({ id, focus, onClose }: Props) {
  const { data, error } = useIndexQuery('transaction_detail', { id }, { previous: true });
  const body = useRef<HTMLDivElement>(null);
  const there = data?.row.id === id;
  useEffect(() => {
    if (focus && there) body.current?.focus();
  }, [focus, there]);
  const asking = useOperationAction('transaction_status');
  const again = useInvalidateIndex();
  const { openDocuments: documents } = useDocumentPlace();
  const { openForms: forms } = useDiligentPlace();
  const { showToast } = useToasts();
  const { reference } = useWorkbench();
  const ask = () =>
    asking.mutate(
      { id, invoice_number: '' },
      {
        onSuccess: () => {
          again();
          showToast('Updated from the service.');
        },
      },
    );
  return (
    // Escape anywhere in it closes it; its controls are inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className="column tx-detail"
      aria-label="Transaction"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <div className="split dialog-head">
        <h2>{data ? data.row.policy_number || `Transaction ${data.row.id}` : 'Transaction'}</h2>
        <CloseButton label="Close transaction" onClick={onClose} />
      </div>
      {error && (
        <ErrorBox error={error}>
          {error.boundary.code === 'not_found' && (
            <Button small onClick={ask} busy={asking.isPending}>
              Get it from the service
            </Button>
          )}
        </ErrorBox>
      )}
      {data && (
        // Focusable, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div ref={body} className="tx-detail-body" role="region" aria-label="Transaction details" tabIndex={0}>
          <p>
            <strong>{data.row.insured}</strong>
            <br />
            <span className="quiet-text">
              Transaction {data.row.id}, {data.row.state} {data.row.transaction_type}, {data.row.status_word}. Updated{' '}
              {formatWhen(data.row.seen_at, reference.today)}.
            </span>
          </p>
          <div className="buttons">
            <Button small onClick={ask} busy={asking.isPending}>
              Update from service
            </Button>
            <Button small onClick={() => documents(data.row.id)}>
              Documents
            </Button>
            <Button small onClick={() => forms(data.row.id)}>
              Fill forms
            </Button>
          </div>
          {data.row.missing_amounts.length > 0 && (
            <p className="quiet-text">
              The service didn’t give: {data.row.missing_amounts.join(', ')}. Totals don’t include them.
            </p>
          )}
          <TransactionTimeline steps={data.timeline} />
          <AmountTable detail={data} />
          <TransactionDocumentList detail={data} />
          <SentBatches detail={data} />
          <FieldList detail={data} />
        </div>
      )}
    </aside>
  );
}

function TransactionTimeline({ steps }: { steps: TimelineStep[] }) {
  const { reference } = useWorkbench();
  return (
    <section>
      <h3>Timeline</h3>
      <ol className="tx-timeline">
        {steps.map((step) => (
          <li key={step.step} className={step.done ? 'done' : ''}>
            <Icon name={step.done ? 'check' : 'clock'} />
            <span>
              {step.title}
              {!step.done && <span className="only-read"> (not yet)</span>}
            </span>
            <span className="num">
              {step.on.length > 10
                ? formatWhen(step.on.replace(' ', 'T').replace(' UTC', 'Z'), reference.today) || step.on
                : formatLongDate(step.on)}
            </span>
            {step.note !== '' && <span className="quiet-text note">{step.note}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

const AMOUNT_HEADS = ['Provided', 'Calculated', 'Invoiced', 'Paid'].map((num) => ({ num }));
const formatOptionalAmount = (amount: string | null) => (amount === null ? '' : formatAmount(amount));

function AmountTable({ detail }: { detail: TransactionDetail }) {
  const [why, setWhy] = useState<string | null>(null);
  const open = detail.amounts.find((amount) => amount.field === why);
  return (
    <section>
      <h3>Amounts</h3>
      <DataTable className="sums tx-amounts" columns={[{ hidden: 'Amount' }, ...AMOUNT_HEADS]}>
        {detail.amounts.map((amount) => (
          <tr key={amount.field} className={amount.differs ? 'differs' : ''}>
            <th scope="row">
              {amount.title}
              {amount.differs && (
                <Tag tone="warn" icon>
                  differs
                </Tag>
              )}
            </th>
            <td className="num">{formatOptionalAmount(amount.provided)}</td>
            <td className="num">
              {amount.why.length > 0 ? (
                <button
                  type="button"
                  className="link-button tx-why-button"
                  aria-expanded={why === amount.field}
                  aria-label={`Why ${formatMoney(amount.calculated ?? '0')}?`}
                  onClick={() => setWhy(why === amount.field ? null : amount.field)}
                >
                  {formatOptionalAmount(amount.calculated)}
                </button>
              ) : (
                formatOptionalAmount(amount.calculated)
              )}
            </td>
            <td className="num">{formatOptionalAmount(amount.invoiced)}</td>
            <td className="num">{formatOptionalAmount(amount.paid)}</td>
          </tr>
        ))}
      </DataTable>
      {open && <AmountExplanation amount={open} />}
      {detail.no_calculation !== '' && <p className="quiet-text">{detail.no_calculation}</p>}
    </section>
  );
}

/** Why this number: the arithmetic, since when, from where, how sure. */
function AmountExplanation({ amount }: { amount: ComparedAmount }) {
  return (
    <div className="why" role="status">
      {amount.why.map((charge) => {
        const sure = SURENESS_TAGS[charge.sureness];
        return (
          <div key={`${charge.title} ${charge.explanation}`}>
            <p>
              <b>{charge.explanation}</b>
            </p>
            <p>
              {charge.from === null
                ? 'Effective date of this rate not found.'
                : `In effect since ${formatLongDate(charge.from)}.`}{' '}
              {charge.sources.map((source) => (
                <SourceLink key={`${source.url} ${source.title}`} title={source.title} url={source.url} />
              ))}{' '}
              <WordTag of={sure} />
            </p>
          </div>
        );
      })}
    </div>
  );
}

function TransactionDocumentList({ detail }: { detail: TransactionDetail }) {
  return (
    <section>
      <h3>Documents</h3>
      {detail.documents.length === 0 ? (
        <p className="quiet-text">The service has no documents yet.</p>
      ) : (
        <ul>
          {detail.documents.map((document, place) => (
            // Two documents may have the same name and code.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${document.code} ${document.name} ${place}`}>
              {document.name} <span className="quiet-text">{document.code}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SentBatches({ detail }: { detail: TransactionDetail }) {
  const { openBatch } = useBatchPlace();
  const { nameFields } = useImportFields();
  const { reference } = useWorkbench();
  const nameOf = usePersonName();
  return (
    <section>
      <h3>Sent from Bordereau</h3>
      {detail.sent.length === 0 && <p className="quiet-text">Not sent from Bordereau.</p>}
      <ul>
        {detail.sent.map((row) => (
          <li key={row.batch}>
            <button type="button" className="link-button" onClick={() => openBatch(row.batch)}>
              {row.batch_name}
            </button>{' '}
            <span className="quiet-text">
              row {row.line}, {formatWhen(row.sent_at, reference.today)} by {nameOf(row.by)}
            </span>
            {row.messages.map((message) => (
              <p key={`${message.field} ${message.text}`} className="quiet-text">
                {nameFields(message.text)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function FieldList({ detail }: { detail: TransactionDetail }) {
  return (
    <section>
      <h3>All fields</h3>
      <dl className="facts tx-fields">
        {detail.fields.map((field) => (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd>
              {field.value === '' ? (
                <span className="quiet-text">none</span>
              ) : field.kind === 'amount' ? (
                formatAmount(field.value)
              ) : field.kind === 'date' ? (
                formatLongDate(field.value)
              ) : (
                formatServiceText(field.value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
