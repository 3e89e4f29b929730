import { useState } from 'react';

import type { ReviewView, SendPreview, SendScope } from '../../../bindings/operations';
import { ConfirmationField, Dialog, isConfirmationTyped, SendTarget } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { formatCount, formatMoney, pluralize } from '../../../values';
import { DRAFT_QUERIES, useBatchPlace } from '../../../workbench/batchPlace';
import { countToCorrect } from './FilterChips';
import { sendBlockReason } from './TotalsBar';
import { useOperationQuery } from '../../../operations/useOperation';

/** What is sent, where it goes, and what it adds up to: confirmed before anything leaves. */
export function SendBatchDialog({ review, onClose }: { review: ReviewView; onClose(): void }) {
  const { goTo } = useBatchPlace();
  const { showToast } = useToasts();
  const [scope, setScope] = useState<SendScope>('valid');
  const [typed, setTyped] = useState('');
  const asked = { id: review.id, scope };
  const preview = useOperationQuery('review_send_preview', asked, {
    keepPrevious: true,
    cacheMs: 0,
    alwaysRefetch: true,
  });
  const sending = useOperationMutation('review_send', ['batch_list', 'outbox_status', ...DRAFT_QUERIES]);
  const send = () => {
    if (why || !preview.data || preview.isPlaceholderData) return;
    sending.mutate(
      { id: review.id, scope, confirmed: preview.data.totals, typed: typed.trim() },
      {
        onSuccess: (batch) => {
          showToast(
            preview.data.totals.count === 0
              ? `Kept ${warnings(preview.data.kept)}. Nothing needed to be sent.`
              : `Sending ${transactions(preview.data.totals.count)}.`,
          );
          onClose();
          goTo({ at: 'batch', id: batch.id });
        },
        onError: () => void preview.refetch(),
      },
    );
  };
  const data = preview.data;
  const word = data?.type_word ?? '';
  const error = sending.error ?? preview.error;
  // Of a correction the rows that are kept as they are may be all there is.
  const settles = data !== undefined && data.totals.count === 0 && data.kept > 0;
  const why = !data
    ? 'Working…'
    : data.totals.count === 0 && !settles
      ? sendBlockReason(review) || 'Nothing to send.'
      : !isConfirmationTyped(word, typed) && `Type ${word} first.`;
  return (
    <Dialog
      title={`Send ${review.name}`}
      hasInput
      onClose={onClose}
      bodyClass="stack loose"
      error={error}
      onSubmit={send}
      foot={
        sending.isPending && (
          <span className="quiet-text" role="status">
            Sending…
          </span>
        )
      }
      action={{
        label: data ? (settles ? `Keep ${warnings(data.kept)}` : `Send ${transactions(data.totals.count)}`) : 'Send',
        autoFocus: word === '',
        busy: sending.isPending,
        disabledReason: why,
      }}
    >
      {!data && !error && <p role="status">Working…</p>}
      {data && (
        <>
          <SendTarget target={data} />
          <ScopeChoice review={review} scope={scope} onScope={setScope} />
          <SendFacts preview={data} />
          <ConfirmationField word={word} typed={typed} onTyped={setTyped} />
        </>
      )}
    </Dialog>
  );
}

const transactions = (count: number) => pluralize(count, 'transaction');
const warnings = (count: number) => pluralize(count, 'warning');

function ScopeChoice({
  review,
  scope,
  onScope,
}: {
  review: ReviewView;
  scope: SendScope;
  onScope(scope: SendScope): void;
}) {
  const left = countToCorrect(review.counts);
  if (left === 0) return null;
  const choices: [SendScope, string][] = [
    ['valid', `Only rows without errors (${pluralize(left, 'row')} left in the draft)`],
    ['all', 'All rows (the service saves those with errors as incomplete)'],
  ];
  return (
    <fieldset className="stack">
      <legend className="only-read">Rows to send</legend>
      {choices.map(([value, words]) => (
        <label key={value} className="in-line">
          <input type="radio" name="scope" checked={scope === value} onChange={() => onScope(value)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

function SendFacts({ preview }: { preview: SendPreview }) {
  const { totals } = preview;
  const facts: [string, string][] = [
    ['Transactions', formatCount(totals.count)],
    ['Premium', formatMoney(totals.premium || '0')],
    [
      preview.without_taxes > 0 ? 'Taxes and state fees in the rows' : 'Taxes and state fees',
      formatMoney(totals.taxes || '0'),
    ],
    ['Including stamping fees', formatMoney(totals.stamping || '0')],
    ...(preview.without_taxes > 0
      ? [['Without taxes: the service calculates them', transactions(preview.without_taxes)] as [string, string]]
      : []),
    ['Documents', formatCount(preview.documents)],
    ...(preview.kept > 0 ? [['Warnings kept with a reason', formatCount(preview.kept)] as [string, string]] : []),
    ...(preview.with_errors > 0 ? [['With errors', formatCount(preview.with_errors)] as [string, string]] : []),
    ...(preview.parts > 1 ? [['Sent in', pluralize(preview.parts, 'part')] as [string, string]] : []),
  ];
  return (
    <dl className="amounts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
