import type { QuoteAnswer } from '../../bindings/operations';
import { DataTable, Icon } from '../../components';
import { UntrustedHtml } from '../../components/UntrustedHtml';
import { formatAmount } from '../../values';

interface Props {
  /** What it is, such as a credit. */
  label: string;
  /** What the total is to the client. */
  total: string;
  answer: QuoteAnswer;
}

/** Premium, taxes and total of what happens to a policy in its term. */
export function ChangeAmounts({ label, total, answer }: Props) {
  return (
    <DataTable label={`${label} in US dollars`} columns={[label, { num: 'Amount' }]}>
      <tr>
        <th scope="row">Premium</th>
        <AmountCells amounts={[answer.premium]} />
      </tr>
      {answer.fields
        .filter((field) => !field.idle)
        .map((field) => (
          <tr key={field.field}>
            <th scope="row">{field.title}</th>
            <AmountCells amounts={[field.amount]} />
          </tr>
        ))}
      <tr className="sum">
        <th scope="row">{total}</th>
        <AmountCells amounts={[answer.total]} />
      </tr>
    </DataTable>
  );
}

/** What isn't sure about the taxes. */
export function ChangeWarnings({ answer }: { answer: QuoteAnswer }) {
  return answer.notes
    .filter((note) => note.severity === 'warning')
    .map((note) => (
      <div key={note.html} className="in-line">
        <Icon name="warning" /> <UntrustedHtml html={note.html} />
      </div>
    ));
}

export function AmountCells({ amounts }: { amounts: string[] }) {
  return amounts.map((amount, at) => (
    // oxlint-disable-next-line react/no-array-index-key
    <td key={at} className="num">
      {formatAmount(amount)}
    </td>
  ));
}
