import { type KeyboardEvent, useRef, useState } from 'react';

import type { ReviewTotals, ReviewView } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { SumsTable } from '../../../components/SumsTable';
import { formatAmount } from '../../../values/amount';

const COUNT = new Intl.NumberFormat('en-US');

interface Props {
  review: ReviewView;
  onRejects(): void;
  onSend(): void;
}

/** What would be sent, always in sight. */
export function TotalsBar({ review, onRejects, onSend }: Props) {
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
        Rows to send <b>{COUNT.format(totals.count)}</b>
      </span>
      <span>
        Premium <b>{formatAmount(totals.premium || '0')}</b>
      </span>
      <span>
        Taxes <b>{formatAmount(totals.taxes || '0')}</b>
      </span>
      <span className="less">
        Stamping <b>{formatAmount(totals.stamping || '0')}</b>
      </span>
      <Button ref={toggle} look="quiet" small aria-expanded={open} onClick={() => setOpen(!open)}>
        By state
      </Button>
      {open && <StateTotals totals={totals} />}
      <span className="spring" />
      <Button
        disabledReason={counts.errors === 0 && 'No row has an error: there is nothing to save.'}
        onClick={onRejects}
      >
        Save rejected rows
      </Button>
      <Button look="primary" keys="Mod+Enter" disabledReason={sendBlockReason(review)} onClick={onSend}>
        {totals.count === 0 && kept > 0
          ? `Keep the warnings of ${rows(kept)}…`
          : `Send ${rows(totals.count, 'ready ')}…`}
      </Button>
    </div>
  );
}

const rows = (count: number, which = '') => `${COUNT.format(count)} ${which}${count === 1 ? 'row' : 'rows'}`;

/** Of a correction, rows whose warnings are kept as they are settle without being sent. */
function countKeptRows({ batch, groups }: ReviewView): number {
  return batch === null ? 0 : (groups.find((group) => group.severity === 'kept')?.rows ?? 0);
}

/** Why nothing can be sent now; empty when it can. */
export function sendBlockReason(review: ReviewView): string {
  if (review.stage === 'reading') return 'The file is still being read. It can be sent when all of it is checked.';
  if (review.totals.count + countKeptRows(review) > 0) return '';
  return review.batch === null
    ? 'No row is ready to send. Repair the errors, or take in rows that were left out.'
    : 'Only changed rows are sent again: change one, or keep its warning with a reason.';
}

function StateTotals({ totals }: { totals: ReviewTotals }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="state-totals" role="region" aria-label="Totals by state" tabIndex={0}>
      <SumsTable
        label="Rows to send, by state, in US dollars"
        heads={['State', 'Rows', 'Premium', 'Taxes', 'Stamping']}
        rows={totals.states.map(({ state, count, premium, taxes, stamping }) => ({
          key: state,
          title: state || 'not known',
          figures: [COUNT.format(count), formatAmount(premium), formatAmount(taxes), formatAmount(stamping)],
        }))}
      />
    </div>
  );
}
