import type { AnsweredBy, Comparison } from '../../../bindings/operations';
import { Amount, DataTable, ErrorBox, Tag } from '../../../components';
import { isZero } from '../../../values';
import { OperationError } from '../../../platform';
import { type CompareCell, buildCompareRows, formatStateDifference } from './comparison';

/** Fields down, states across; below each amount what it is against the first state. */
export function CompareTable({ comparison, name }: { comparison: Comparison; name(code: string): string }) {
  const rows = buildCompareRows(comparison);
  const failed = comparison.columns.filter((column) => column.error !== null);
  return (
    <>
      {/* Focusable, so that the keyboard can scroll it sideways. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="card compare-table" tabIndex={0} role="region" aria-label="Comparison">
        <DataTable
          label="Amounts by state, in US dollars"
          columns={[
            'Amounts in USD',
            ...comparison.columns.map(({ state, answer, error }) => ({
              name: state,
              num: (
                <>
                  <span className="state-name">{name(state)}</span>{' '}
                  <AnswerTag failed={error !== null} by={answer?.by} />
                </>
              ),
            })),
          ]}
        >
          {rows.map((row) => (
            <tr key={row.id} className={row.strong ? 'strong' : ''}>
              <th scope="row">{row.title}</th>
              {row.cells.map((cell, at) => (
                <td key={comparison.columns[at]?.state} className="num">
                  <CompareTableCell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </DataTable>
      </div>
      {failed.map(({ state, error }) => {
        if (!error) return null;
        return (
          <section key={state} aria-label={name(state)} className="stack">
            <h2>{name(state)}</h2>
            <ColumnError error={error} />
          </section>
        );
      })}
    </>
  );
}

function AnswerTag({ failed, by }: { failed: boolean; by: AnsweredBy | undefined }) {
  if (failed) {
    return (
      <Tag tone="error" icon>
        no response
      </Tag>
    );
  }
  return by === 'service' ? <Tag tone="ok">Service</Tag> : <Tag tone="info">Estimate</Tag>;
}

function CompareTableCell({ cell }: { cell: CompareCell }) {
  const difference =
    cell.amount === null && isZero(cell.difference ?? '') ? '' : formatStateDifference(cell.difference);
  return (
    <>
      <span className="amount">
        {cell.amount === null ? <span className="quiet-text">none</span> : <Amount value={cell.amount} plain />}
      </span>
      <span className="against">{[cell.title, difference].filter(Boolean).join(', ')}</span>
    </>
  );
}

function ColumnError({ error }: { error: NonNullable<Comparison['columns'][number]['error']> }) {
  return <ErrorBox error={new OperationError('quote_compare', error)} />;
}
