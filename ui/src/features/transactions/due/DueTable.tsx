import type { DueEntry, DueList } from '../../../bindings/operations';
import { Amount } from '../../../components/Amount';
import { Button } from '../../../components/Button';
import { SURENESS } from '../../../components/SourceLink';
import { Tag } from '../../../components/Tag';
import { longDate, weekday } from '../../../values/date';
import { useAskTransactions, useOpenTransaction } from '../../../workbench/transactionPlace';
import { COUNT, distance, periodOf, STANDINGS, whose } from './dueLabels';

interface Props {
  list: DueList;
  onShow(entry: DueEntry): void;
}

/** Rows drawn; the filters narrow a longer list. */
const DRAWN = 500;

/** One line for each thing to be done, overdue first. */
export function DueTable({ list, onShow }: Props) {
  const drawn = list.entries.slice(0, DRAWN);
  return (
    <section className="card" aria-label="What is due">
      <table>
        <thead>
          <tr>
            <th scope="col">By</th>
            <th scope="col">State</th>
            <th scope="col">What</th>
            <th scope="col">Policy</th>
            <th scope="col">Insured</th>
            <th scope="col" className="num">
              Amount
            </th>
            <th scope="col">How sure</th>
            <th scope="col">
              <span className="only-read">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {drawn.map((entry) => (
            <Row key={entry.id} entry={entry} onShow={onShow} />
          ))}
        </tbody>
      </table>
      {list.total > drawn.length && (
        <p className="none">
          The first {COUNT.format(drawn.length)} of {COUNT.format(list.total)} are shown: choose a state or a kind.
        </p>
      )}
    </section>
  );
}

function Row({ entry, onShow }: { entry: DueEntry; onShow(entry: DueEntry): void }) {
  const open = useOpenTransaction();
  const ask = useAskTransactions();
  const standing = STANDINGS[entry.standing];
  const sure = SURENESS[entry.sureness];
  return (
    <tr data-standing={entry.standing}>
      <td className="day">
        {entry.due === null ? (
          <Tag tone={standing.tone} icon="unknown">
            {standing.word}
          </Tag>
        ) : (
          <>
            <span>
              {weekday(entry.due)} {longDate(entry.due)}
            </span>
            <span className="below">
              {entry.standing === 'later' ? (
                distance(entry.days_left)
              ) : (
                <Tag tone={standing.tone} {...(standing.icon ? { icon: standing.icon } : {})}>
                  {standing.word}, {distance(entry.days_left)}
                </Tag>
              )}
            </span>
          </>
        )}
      </td>
      <td>{entry.state}</td>
      <td>
        {entry.title}
        <span className="below">{entry.rule}</span>
        {entry.act_by !== null && <span className="below">A weekend or holiday: act by {longDate(entry.act_by)}</span>}
      </td>
      <td>
        <button
          type="button"
          className="link-button"
          onClick={() => (entry.count > 1 ? ask(periodOf(entry)) : open(entry.transaction_id))}
        >
          {whose(entry)}
        </button>
      </td>
      <td>{entry.count > 1 ? '' : entry.insured}</td>
      <td className="num">{entry.amount !== null && <Amount of={entry.amount} />}</td>
      <td>
        <Tag tone={sure.tone} icon={sure.icon}>
          {sure.word}
        </Tag>
      </td>
      <td className="row-actions">
        <Button small aria-label={`Why ${entry.title} of ${whose(entry)}`} onClick={() => onShow(entry)}>
          Why
        </Button>
      </td>
    </tr>
  );
}
