import type { ReactNode } from 'react';

import type { DueEntry } from '../../../bindings/operations';
import { Amount } from '../../../components/Amount';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Source, SURENESS } from '../../../components/SourceLink';
import { Tag } from '../../../components/Tag';
import { useNotices } from '../../../operations/toasts';
import { useDo } from '../../../operations/useOperation';
import { longDate, weekday } from '../../../values/date';
import { useAskTransactions, useOpenTransaction } from '../../../workbench/transactionPlace';
import { distance, periodOf, STANDINGS, whose } from './dueLabels';

/** Why this date: the rule, what was assumed, what being late costs, where it is from and how sure it is. */
export function EntryDialog({ entry, onClose }: { entry: DueEntry; onClose(): void }) {
  const open = useOpenTransaction();
  const ask = useAskTransactions();
  const marking = useDo('due_mark', ['due_list']);
  const { tell, fail } = useNotices();
  const sure = SURENESS[entry.sureness];
  const day = (text: string) => `${weekday(text)} ${longDate(text)}`;
  const span = (of: [string, string]) =>
    of[0] === of[1] ? longDate(of[0]) : `${longDate(of[0])} to ${longDate(of[1])}`;
  const mark = () =>
    marking.mutate(
      { id: entry.id, done: true },
      {
        onSuccess: () => {
          tell(`Marked as done: ${entry.title}.`);
          onClose();
        },
        onError: fail,
      },
    );
  return (
    <Dialog title={`${entry.state}: ${entry.title}`} onClose={onClose}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="dialog-body" tabIndex={0} role="region" aria-label="Why this date">
        <dl className="due-facts">
          <Fact name="By">
            {entry.due === null ? 'No known day' : `${day(entry.due)}, ${distance(entry.days_left)}`}{' '}
            {entry.standing !== 'later' && (
              <Tag tone={STANDINGS[entry.standing].tone}>{STANDINGS[entry.standing].word}</Tag>
            )}
          </Fact>
          <Fact name="Rule">{entry.rule}</Fact>
          {entry.statutory !== null && (
            <Fact name="Moved">
              From {day(entry.statutory)}, a weekend or federal holiday: the state allows the next business day.
            </Fact>
          )}
          {entry.act_by !== null && (
            <Fact name="Act by">
              {day(entry.act_by)}. The date falls on a weekend or federal holiday, and whether the state moves it was
              not found.
            </Fact>
          )}
          {entry.period !== null && <Fact name="Period">{span(entry.period)}</Fact>}
          {entry.billed !== null && <Fact name="Billed">{span(entry.billed)}</Fact>}
          {entry.amount !== null && (
            <Fact name="Amount">
              <Amount of={entry.amount} />
            </Fact>
          )}
          <Fact name="For">
            {whose(entry)}
            {entry.count === 1 && `, ${entry.insured}, ${entry.transaction_type}`}
          </Fact>
          {entry.assumed !== null && <Fact name="Assumed">{entry.assumed}</Fact>}
          {entry.condition !== null && <Fact name="Only">{entry.condition}</Fact>}
          {entry.note !== null && <Fact name="Remark">{entry.note}</Fact>}
          {entry.late !== null && <Fact name="If late">{entry.late}</Fact>}
          <Fact name="How sure">
            <Tag tone={sure.tone} icon={sure.icon}>
              {sure.word}
            </Tag>{' '}
            {entry.checked !== sure.word && entry.checked}
          </Fact>
          <Fact name="Source">
            {entry.sources.map((source) => (
              <Source key={source.url} title={source.title} url={source.url} />
            ))}
          </Fact>
        </dl>
      </div>
      <div className="dialog-foot">
        {entry.can_mark && (
          <Button off={marking.isPending && 'It is being marked.'} onClick={mark}>
            Mark as done
          </Button>
        )}
        <span className="spring" />
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          onClick={() => {
            onClose();
            if (entry.count > 1) ask(periodOf(entry));
            else open(entry.transaction_id);
          }}
        >
          {entry.count > 1 ? 'Show its transactions' : 'Open transaction'}
        </Button>
      </div>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
