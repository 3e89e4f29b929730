import { Fragment, useId, useState } from 'react';

import type { QuoteAnswer, RuleRow } from '../../bindings/operations';
import { Amount, DataTable, Icon, SumsTable, Tag, WordTag } from '../../components';
import { formatAmount, isCredit, isZero, pluralize, subtractAmounts } from '../../values';
import { type ChargeRow, buildChargeRows, buildFeesRow } from './chargeRows';
import { SURENESS_TAGS, ChargeExplanation } from './ChargeExplanation';
import { ServiceRuleLine } from './ServiceRules';
import { Term } from '../../components/Term';

/** The answer line by line; every charge explains itself in place. */
export function ResultTable({ answer, lines }: { answer: QuoteAnswer; lines: number }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const fees = buildFeesRow(answer);
  return (
    <DataTable
      className={`result ${isCredit(answer.premium) || isCredit(answer.taxes) ? 'with-credit' : ''}`}
      label="Charges in US dollars"
      columns={['Charge', 'Based on', 'Rate', { num: 'Amount' }]}
    >
      <tr>
        <th scope="row">Premium</th>
        <td className="mute">{pluralize(lines, 'line')}</td>
        <td />
        <td className="num">
          <Amount value={answer.premium} />
        </td>
      </tr>
      {fees && (
        <tr>
          <th scope="row">
            Fees <Tag tone="neutral">{fees.tag}</Tag>
          </th>
          <td className="mute">{fees.on}</td>
          <td />
          <td className="num">
            <Amount value={fees.amount} plain />
          </td>
        </tr>
      )}
      {buildChargeRows(answer).map((row) => (
        <ChargeTableRow
          key={row.id}
          row={row}
          rule={answer.rules.find((rule) => rule.field === (row.charge?.field ?? row.id))}
          open={open.has(row.id)}
          onToggle={() => toggle(row.id)}
        />
      ))}
      {answer.missing_amounts.map((title) => (
        <tr key={title}>
          <th scope="row">{title}</th>
          <td colSpan={2} className="mute">
            see the notes
          </td>
          <td className="num">
            <Tag tone="warn">not included</Tag>
          </td>
        </tr>
      ))}
      <tr className="sum">
        <th scope="row" colSpan={3}>
          <Term>Taxes and state fees</Term>
        </th>
        <td className="num">
          <Amount value={answer.taxes} />
        </td>
      </tr>
    </DataTable>
  );
}

interface ChargeTableRowProps {
  row: ChargeRow;
  /** What the service says of its own rule for this charge. */
  rule: RuleRow | undefined;
  open: boolean;
  onToggle(): void;
}

function ChargeTableRow({ row, rule, open, onToggle }: ChargeTableRowProps) {
  const id = useId();
  const sure = row.charge ? SURENESS_TAGS[row.charge.sureness] : null;
  return (
    <Fragment>
      <tr className={open ? 'opened' : ''}>
        <th scope="row">
          <button
            type="button"
            className="charge"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            title="Show how this was calculated"
            onClick={onToggle}
          >
            <span>{row.title}</span>
            <Icon name={open ? 'down' : 'right'} />
            <span className="only-read">, show calculation</span>
          </button>
          {sure && row.charge?.sureness !== 'confirmed' && <WordTag of={sure} />}
        </th>
        <td className="mute">{row.on}</td>
        <td>{row.rate}</td>
        <td className="num">
          <Amount value={row.amount} plain />
        </td>
      </tr>
      {open && (
        <tr className="sub">
          <td colSpan={4} id={id}>
            {row.charge ? (
              <ChargeExplanation charge={row.charge} estimate={row.estimate} />
            ) : (
              <div className="why">
                The service returned this amount. The built-in rules have no matching charge to explain it.
              </div>
            )}
            {rule && <ServiceRuleLine rule={rule} />}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** Where the estimate and the service differ: both are shown, never hidden. */
export function EstimateDifferences({ answer }: { answer: QuoteAnswer }) {
  if (answer.differences.length === 0) return null;
  return (
    <section className="differences" aria-label="Differences from the estimate">
      <h3>
        <Icon name="warning" /> The service and the built-in rules differ
      </h3>
      <SumsTable
        label="Differences in US dollars"
        heads={['Charge', 'Estimate', 'Service', 'Difference']}
        rows={answer.differences.map((each) => ({
          key: each.field,
          title: each.title,
          strong: true,
          figures: [
            formatAmount(each.estimate),
            each.service === null ? 'none given' : formatAmount(each.service),
            formatDifference(each.difference, each.service ?? '0.00', each.estimate),
          ],
        }))}
      />
      <p className="quiet-text">
        The total above uses the service’s amounts. Open a charge to see what the rules calculate.
      </p>
    </section>
  );
}

/** A difference with its sign, so that more and less cannot be mistaken. */
export function formatDifference(difference: string, service: string, estimate: string): string {
  const amount = difference === '' ? subtractAmounts(service, estimate) : difference;
  return isZero(amount) || amount.startsWith('-') ? formatAmount(amount) : `+${formatAmount(amount)}`;
}
