import { Fragment, useState } from 'react';

import type { BatchRow, BatchView, RowMessage, RowState } from '../../../bindings/operations';
import { Amount, Button, DataTable, ErrorBox, Evidence, Icon, WordTag } from '../../../components';
import { formatAmount, formatCount } from '../../../values';
import { ROW_STATE_LABELS } from '../batchLabels';
import { plainName, useImportFields } from '../bordereauFields';
import { useOpenTransaction } from '../../../workbench/transactionPlace';
import { useOperationQuery } from '../../../operations/useOperation';

const PAGE = 100;

/** Of widths that stay while results arrive and pages are turned; the insured has what is left. */
const COLUMNS = [
  { num: 'Row', width: '5.8rem' },
  { text: 'Policy', width: '13rem' },
  { text: 'Type', width: '5rem' },
  { text: 'State', width: '5.2rem' },
  'Insured',
  { num: 'Premium', width: '11rem' },
  { text: 'Result', width: '23rem' },
  { text: 'Transaction', width: '9rem' },
];

interface Props {
  batch: BatchView;
  state: RowState | null;
  /** The key of a cause; empty for all. */
  cause: string;
}

/** The rows of a batch with what the service says to each, a page at a time. */
export function BatchRows({ batch, state, cause }: Props) {
  const [at, setAt] = useState({ state, cause, from: 0 });
  const from = at.state === state && at.cause === cause ? at.from : 0;
  const request = { id: batch.id, state, cause, from, count: PAGE };
  const { data, error } = useOperationQuery('batch_rows', request, { keepPrevious: true, cacheMs: 60_000 });
  if (error) return <ErrorBox error={error} />;
  if (!data) return null;
  const last = Math.min(from + PAGE, data.total);
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="batch-rows" role="region" aria-label="Rows" tabIndex={0}>
      <DataTable label={`Rows in ${batch.name}, amounts in US dollars`} columns={COLUMNS}>
        {data.rows.map((row) => (
          // A file may have an id twice.
          <Fragment key={`${row.line} ${row.id}`}>
            <BatchTableRow row={row} />
            {row.messages.length + row.kept.length > 0 && <RowMessages {...row} />}
          </Fragment>
        ))}
      </DataTable>
      {data.total > PAGE && (
        <div className="bar">
          <Button
            small
            disabledReason={from === 0 && 'This is the first page.'}
            onClick={() => setAt({ state, cause, from: from - PAGE })}
          >
            Previous
          </Button>
          <span role="status">
            {formatCount(from + 1)} to {formatCount(last)} of {formatCount(data.total)}
          </span>
          <Button
            small
            disabledReason={last >= data.total && 'This is the last page.'}
            onClick={() => setAt({ state, cause, from: from + PAGE })}
          >
            Next
          </Button>
        </div>
      )}
      {data.total === 0 && <p className="empty">No rows have this status. Choose All to see every row.</p>}
    </div>
  );
}

function BatchTableRow({ row }: { row: BatchRow }) {
  const word = ROW_STATE_LABELS[row.row_state];
  const openTransaction = useOpenTransaction();
  const transaction = row.transaction_id;
  return (
    <tr>
      <td className="num quiet-text">{formatCount(row.line)}</td>
      <td>{row.policy_number}</td>
      <td>{row.transaction_type}</td>
      <td>{row.state}</td>
      <td>
        <span className="two-lines" title={row.insured}>
          {row.insured}
        </span>
      </td>
      <td className="num">{row.premium === '' ? '' : <Amount value={row.premium} plain />}</td>
      <td>
        <WordTag of={word} />
        <Evidence about={`Row ${row.line}`} stage={row.stage} evidence={row.evidence === null ? [] : [row.evidence]} />
      </td>
      <td className="quiet-text" title={`Your ID ${row.id}`}>
        {transaction !== null && (
          <button
            type="button"
            className="link-button"
            aria-label={`Show transaction ${transaction}`}
            onClick={() => openTransaction(transaction)}
          >
            {transaction}
          </button>
        )}
      </td>
    </tr>
  );
}

/** Provided and calculated; only their difference, where the service's own words name both. */
function ComparedAmounts({ message }: { message: RowMessage }) {
  const { text, provided, calculated, difference } = message;
  if (calculated === null) return null;
  const named = provided !== null && text.includes(provided) && text.includes(calculated);
  return (
    <span className="num compare-amounts">
      {!named && (
        <>
          Provided <b>{provided === null ? 'nothing' : formatAmount(provided)}</b>, calculated{' '}
          <b>{formatAmount(calculated)}</b>
          {difference !== null && ', '}
        </>
      )}
      {difference !== null && (
        <>
          {named ? 'Difference' : 'difference'} <b className="differs">{formatAmount(difference)}</b>
        </>
      )}
    </span>
  );
}

/**
 * What the service said of a field, quoted as its words; which document or field, where it names that beside the text only.
 * What Bordereau says of a row is of no field.
 */
export function describeMessage({ field, text }: Pick<RowMessage, 'field' | 'text'>, title = field): string {
  if (field === '' || text === '') return text;
  const code = /^documents\.(\w+)$/.exec(field)?.[1];
  if (code !== undefined) return text.includes(code) ? `“${text}”` : `“${text}”: ${code}`;
  const words = title.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const isNamed = title === field || plainName(text).includes(plainName(field));
  return isNamed || words.some((word) => text.toLowerCase().includes(word)) ? `“${text}”` : `${title}: “${text}”`;
}

/** A note of our own, and what was settled since, ask for nothing. */
export function MessageIcon({ severity }: { severity: string }) {
  const name = severity === 'error' || severity === 'warning' ? severity : 'check';
  return (
    <span className={`sign-${name === 'check' ? 'kept' : name}`}>
      <Icon name={name} />
    </span>
  );
}

function RowMessages({ messages, kept, uploaded }: Pick<BatchRow, 'messages' | 'kept' | 'uploaded'>) {
  const { find, nameFields } = useImportFields();
  return (
    <tr className="messages">
      <td />
      <td colSpan={7}>
        <ul>
          {messages.map((message) => (
            <li key={`${message.field} ${message.text}`}>
              <MessageIcon severity={uploaded.includes(message.field) ? 'note' : message.severity} />
              <span>{nameFields(describeMessage(message, find(message.field).title))}</span>
              {uploaded.includes(message.field) && <b>Uploaded since then.</b>}
              <ComparedAmounts message={message} />
            </li>
          ))}
          {kept.map((each) => (
            <li key={`${each.warning} ${each.reason}`}>
              <span className="sign-kept">
                <Icon name="check" />
              </span>
              <span>
                Kept: {each.warning} Reason: <b>{each.reason}</b>
              </span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
