import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

import type { ReviewTotals, ReviewView } from '../../../bindings/operations';
import { Button, SumsTable } from '../../../components';
import { formatAmount, formatCount, formatMoney } from '../../../values';
import { countToCorrect } from './FilterChips';

interface Props {
  review: ReviewView;
  /** What is selected, in figures. */
  children?: ReactNode;
  onRejects(): void;
  onSend(): void;
}

/** What would be sent, always in sight. */
export function TotalsBar({ review, children, onRejects, onSend }: Props) {
  const { totals, counts } = review;
  const kept = countKeptRows(review);
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    // Escape closes the table from anywhere in the bar.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="totals" data-part onKeyDown={onKeyDown}>
      <span>
        Rows to send <b>{formatCount(totals.count)}</b>
      </span>
      <span className="yields">
        Premium <b>{formatMoney(totals.premium || '0')}</b>
      </span>
      <span className="yields">
        Taxes in the rows <b>{formatMoney(totals.taxes || '0')}</b>
      </span>
      <span className="less yields">
        Stamping <b>{formatMoney(totals.stamping || '0')}</b>
      </span>
      <Button ref={toggle} className="yields" look="quiet" small aria-expanded={open} onClick={() => setOpen(!open)}>
        By state
      </Button>
      {open && <StateTotals totals={totals} />}
      <span className="spring" />
      {children}
      <Button
        disabledReason={countToCorrect(counts) === 0 && 'No rows have errors. Nothing to save.'}
        onClick={onRejects}
      >
        Save rejected rows
      </Button>
      <Button look="primary" keys="Mod+Enter" disabledReason={sendBlockReason(review)} onClick={onSend}>
        {totals.count === 0 && kept > 0
          ? `Keep the warnings in ${rows(kept)}…`
          : `Send ${rows(totals.count, review.batch === null ? 'ready ' : 'changed ')}…`}
      </Button>
    </div>
  );
}

const rows = (count: number, which = '') => `${formatCount(count)} ${which}${count === 1 ? 'row' : 'rows'}`;

/** Of a correction, rows whose warnings are kept as they are settle without being sent. */
function countKeptRows({ batch, groups }: ReviewView): number {
  return batch === null ? 0 : (groups.find((group) => group.severity === 'kept')?.rows ?? 0);
}

/** Why nothing can be sent now; empty when it can. */
export function sendBlockReason(review: ReviewView): string {
  if (review.totals.count + countKeptRows(review) > 0) return '';
  if (review.counts.sent > 0 && countToCorrect(review.counts) === 0)
    return 'Nothing is left to send: these rows were sent.';
  if (review.batch !== null && review.is_single)
    return 'Nothing has changed since it was sent. Change a field, or keep its warnings with a reason.';
  return review.batch === null
    ? 'No rows are ready to send. Repair the errors, or include excluded rows.'
    : 'Only changed rows are sent again. Change a row, or keep its warning with a reason.';
}

function StateTotals({ totals }: { totals: ReviewTotals }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="floating scrolls state-totals" role="region" aria-label="Totals by state" tabIndex={0}>
      <SumsTable
        label="Rows to send, by state, in US dollars"
        heads={['State', 'Rows', 'Premium', 'Taxes', 'Stamping']}
        rows={totals.states.map(({ state, count, premium, taxes, stamping }) => ({
          key: state,
          title: state || 'unknown',
          figures: [formatCount(count), formatAmount(premium), formatAmount(taxes), formatAmount(stamping)],
        }))}
      />
    </div>
  );
}
