import { type ReactNode, useState } from 'react';

import type { DueEntry, DueMarkKind } from '../../../bindings/operations';
import { Amount, Button, Dialog, SourceLink, SURENESS_TAGS, Tag, WordTag } from '../../../components';
import { formatLongDate, formatWeekdayDate } from '../../../values';
import { useShowTransactions, useOpenTransaction } from '../../../workbench/transactionPlace';
import { DueMarkForm, useDueMarks } from './DueMarkForm';
import { formatDaysLeft, entryPeriod, DUE_STATUS_LABELS, describeSubject } from './dueLabels';

/** Why this date: the rule, what was assumed, what being late costs, where it is from and how sure it is. */
export function DueEntryDialog({ entry, onClose }: { entry: DueEntry; onClose(): void }) {
  const open = useOpenTransaction();
  const ask = useShowTransactions();
  const kept = entry.mark?.note ?? '';
  const [note, setNote] = useState(kept);
  const { save: saveMarks, busy } = useDueMarks();
  const save = async (kind: DueMarkKind, text: string) => {
    if (await saveMarks([entry], kind, text)) onClose();
  };
  // What was typed is not lost by leaving.
  const close = () => (note === kept ? onClose() : void save(entry.mark?.kind ?? 'open', note));
  const sure = SURENESS_TAGS[entry.sureness];
  const span = (of: [string, string]) =>
    of[0] === of[1] ? formatLongDate(of[0]) : `${formatLongDate(of[0])} to ${formatLongDate(of[1])}`;
  return (
    <Dialog
      title={`${entry.state}: ${entry.title}`}
      onClose={close}
      scrollLabel="Why this date"
      foot={
        <DueMarkForm
          entry={entry}
          note={note}
          onNote={setNote}
          onSave={(kind, text) => void save(kind, text)}
          busy={busy}
        >
          <Button
            look="primary"
            onClick={() => {
              close();
              if (entry.count > 1) ask(entryPeriod(entry));
              else open(entry.transaction_id);
            }}
          >
            {entry.count > 1 ? 'Show transactions' : 'Open transaction'}
          </Button>
        </DueMarkForm>
      }
    >
      <dl className="facts due-facts">
        <DueFact name="Due">
          {entry.due === null ? 'No due date' : `${formatWeekdayDate(entry.due)}, ${formatDaysLeft(entry.days_left)}`}{' '}
          {entry.standing !== 'later' && (
            <Tag tone={DUE_STATUS_LABELS[entry.standing].tone}>{DUE_STATUS_LABELS[entry.standing].word}</Tag>
          )}
        </DueFact>
        <DueFact name="Rule">{entry.rule}</DueFact>
        {entry.statutory !== null && (
          <DueFact name="Moved">
            From {formatWeekdayDate(entry.statutory)}, a weekend or federal holiday. The state allows the next business
            day.
          </DueFact>
        )}
        {entry.act_by !== null && (
          <DueFact name="Act by">
            {formatWeekdayDate(entry.act_by)}. The due date falls on a weekend or federal holiday, and no rule was found
            that moves it.
          </DueFact>
        )}
        {entry.period !== null && <DueFact name="Period">{span(entry.period)}</DueFact>}
        {entry.billed !== null && <DueFact name="Billed">{span(entry.billed)}</DueFact>}
        {entry.amount !== null && (
          <DueFact name="Amount">
            <Amount value={entry.amount} standalone />
          </DueFact>
        )}
        <DueFact name="For">
          {describeSubject(entry)}
          {entry.count === 1 && `, ${entry.insured}, ${entry.transaction_type}`}
        </DueFact>
        {entry.assumed !== null && <DueFact name="Assumed">{entry.assumed}</DueFact>}
        {entry.condition !== null && <DueFact name="Only if">{entry.condition}</DueFact>}
        {entry.note !== null && <DueFact name="About the rule">{entry.note}</DueFact>}
        {entry.late !== null && <DueFact name="If late">{entry.late}</DueFact>}
        <DueFact name="Certainty">
          <WordTag of={sure} /> {entry.checked !== sure.word && entry.checked}
        </DueFact>
        <DueFact name="Source">
          {entry.sources.map((source) => (
            <SourceLink key={source.url} title={source.title} url={source.url} />
          ))}
        </DueFact>
      </dl>
    </Dialog>
  );
}

function DueFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
