import { useState } from 'react';

import type { ReviewTotals } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { showAmount } from '../../../values/amount';

const COUNT = new Intl.NumberFormat('en-US');

interface Props {
  totals: ReviewTotals;
  rejects: number;
  busy: boolean;
  onRejects(): void;
  onSend(): void;
}

/** What would be sent, always in sight. */
export function TotalsBar({ totals, rejects, busy, onRejects, onSend }: Props) {
  const [open, setOpen] = useState(false);
  return (
    // Escape closes the table from anywhere in the bar.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="totals" onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <span>
        Rows to send <b>{COUNT.format(totals.count)}</b>
      </span>
      <span>
        Premium <b>{showAmount(totals.premium || '0')}</b>
      </span>
      <span>
        Taxes <b>{showAmount(totals.taxes || '0')}</b>
      </span>
      <span className="less">
        Stamping <b>{showAmount(totals.stamping || '0')}</b>
      </span>
      <Button look="quiet" small aria-expanded={open} onClick={() => setOpen(!open)}>
        By state
      </Button>
      {open && <StateTotals totals={totals} />}
      <span className="spring" />
      <Button disabled={rejects === 0} onClick={onRejects}>
        Save rejected rows
      </Button>
      <Button look="primary" disabled={totals.count === 0 || busy} onClick={onSend}>
        {totals.count === 1 ? 'Send 1 ready row…' : `Send ${COUNT.format(totals.count)} ready rows…`}
      </Button>
    </div>
  );
}

export function StateTotals({ totals }: { totals: ReviewTotals }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="state-totals" role="region" aria-label="Totals by state" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col" className="num">
              Rows
            </th>
            <th scope="col" className="num">
              Premium
            </th>
            <th scope="col" className="num">
              Taxes
            </th>
            <th scope="col" className="num">
              Stamping
            </th>
          </tr>
        </thead>
        <tbody>
          {totals.states.map((state) => (
            <tr key={state.state}>
              <th scope="row">{state.state || 'not known'}</th>
              <td className="num">{COUNT.format(state.count)}</td>
              <td className="num">{showAmount(state.premium)}</td>
              <td className="num">{showAmount(state.taxes)}</td>
              <td className="num">{showAmount(state.stamping)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
