import { useState } from 'react';

import type { ChartBar, TransactionsSummary } from '../../bindings/operations';
import { Button, SelectField, SumsTable } from '../../components';
import { formatAmount, formatCount, formatMoney, pluralize } from '../../values';

const KINDS = [
  { code: 'by_state', name: 'Premium and taxes by state' },
  { code: 'by_month', name: 'Premium and taxes by month' },
  { code: 'by_status', name: 'Transactions by status' },
] as const;
const FIGURES = ['Transactions', 'Premium', 'Taxes'];
type ChartKind = (typeof KINDS)[number]['code'];

/** Bars of one chart; more are in the table beside it. */
const MAX_BARS = 14;
const HEIGHT = 108;

interface Props {
  summary: TransactionsSummary;
  chosen(facet: string, value: string): boolean;
  onToggle(facet: string, value: string): void;
}

/** Where looking beats reading. Each bar narrows the table; the same figures are there as a table. */
export function TransactionChart({ summary, chosen, onToggle }: Props) {
  const [kind, setKind] = useState<ChartKind>('by_state');
  const [asTable, setAsTable] = useState(false);
  const bars = summary[kind];
  const shown = kind === 'by_month' ? bars.slice(-MAX_BARS) : bars.slice(0, MAX_BARS);
  return (
    <section className="tx-chart card" aria-label="Chart">
      <div className="in-line at-end tx-chart-head">
        <SelectField label="Chart" choices={KINDS} value={kind} onChange={(code) => setKind(code as ChartKind)} />
        {kind !== 'by_status' && (
          <span className="in-line tx-legend">
            <i className="premium" /> Premium <i className="taxes" /> Taxes
          </span>
        )}
        <span className="spring" />
        {bars.length > shown.length && !asTable && (
          <span className="quiet-text">
            {shown.length} of {bars.length}
          </span>
        )}
        <Button small onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As a chart' : 'As a table'}
        </Button>
      </div>
      {asTable ? (
        <ChartTable bars={bars} kind={kind} />
      ) : (
        <div className="tx-bars">
          {shown.map((bar) => (
            <ChartBarButton
              key={bar.value}
              bar={bar}
              kind={kind}
              chosen={chosen(bar.facet, bar.value)}
              onClick={bar.value === '' ? undefined : () => onToggle(bar.facet, bar.value)}
            />
          ))}
        </div>
      )}
    </section>
  );
}

interface BarProps {
  bar: ChartBar;
  kind: ChartKind;
  chosen: boolean;
  onClick: (() => void) | undefined;
}

function ChartBarButton({ bar, kind, chosen, onClick }: BarProps) {
  const count = pluralize(bar.count, 'transaction');
  const words =
    kind === 'by_status'
      ? `${bar.title}: ${count}`
      : `${bar.title}: premium ${formatMoney(bar.premium)}, taxes ${formatMoney(bar.taxes)}, ${count}`;
  return (
    <button
      type="button"
      className="tx-bar"
      aria-pressed={chosen}
      aria-label={words}
      title={words}
      {...(onClick ? { onClick } : { 'aria-disabled': true })}
    >
      <svg viewBox={`0 0 44 ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
        {kind === 'by_status' ? (
          <BarShape x={8} width={28} share={bar.count_share} name="premium" />
        ) : (
          <>
            <BarShape x={6} width={15} share={bar.premium_share} name="premium" />
            <BarShape x={24} width={15} share={bar.taxes_share} name="taxes" />
          </>
        )}
      </svg>
      <span>{kind === 'by_state' ? bar.value || 'none' : bar.title}</span>
    </button>
  );
}

/** At least a hair where there is anything; what is negative is drawn hollow. */
function BarShape({ x, width, share, name }: { x: number; width: number; share: number; name: string }) {
  const height = share === 0 ? 0 : Math.max(2, Math.round((Math.abs(share) / 1000) * HEIGHT));
  const className = share < 0 ? `${name} below` : name;
  return <rect x={x} y={HEIGHT - height} width={width} height={height} className={className} />;
}

function ChartTable({ bars, kind }: { bars: ChartBar[]; kind: ChartKind }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="tx-figures" role="region" aria-label="Chart data" tabIndex={0}>
      <SumsTable
        label="Chart data, in US dollars"
        heads={[KINDS.find((each) => each.code === kind)?.name.replace(/.* by /, '') ?? '', ...FIGURES]}
        rows={bars.map((bar) => ({
          key: bar.value,
          title: bar.title,
          figures: [formatCount(bar.count), formatAmount(bar.premium), formatAmount(bar.taxes)],
        }))}
      />
    </div>
  );
}
