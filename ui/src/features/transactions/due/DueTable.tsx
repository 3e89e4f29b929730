import { useState } from 'react';

import type { DueEntry, DueList } from '../../../bindings/operations';
import { Amount, Button, Checkbox, DataTable, SURENESS_TAGS, WordTag } from '../../../components';
import { formatCount, formatWeekdayDate } from '../../../values';
import { AssignedPerson, useOfficePeople, usePersonName } from '../../../workbench/Assignment';
import { useShowTransactions, useOpenTransaction } from '../../../workbench/transactionPlace';
import { useDueMarks } from './DueMarkForm';
import { formatDaysLeft, entryPeriod, dueTag, describeSubject } from './dueLabels';

interface Props {
  list: DueList;
  onShow(entry: DueEntry): void;
}

/** Rows drawn; the filters narrow a longer list. */
const MAX_ROWS = 500;

/** One line for each thing to be done, overdue first. */
export function DueTable({ list, onShow }: Props) {
  const drawn = list.entries.slice(0, MAX_ROWS);
  const hasPeople = useOfficePeople() !== null;
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const { save, busy } = useDueMarks();
  const openEntries = drawn.filter(isOpen);
  // Rows hidden by the filters aren't marked.
  const selected = openEntries.filter((entry) => selectedIds.has(entry.id));
  const select = (entries: DueEntry[], isSelected: boolean) => {
    const changed = new Set(selectedIds);
    for (const { id } of entries) changed[isSelected ? 'add' : 'delete'](id);
    setSelectedIds(changed);
  };
  const markSelected = async () => {
    if (await save(selected, 'done')) setSelectedIds(new Set());
  };
  return (
    <section className="card" aria-label="What is due">
      {openEntries.length > 1 && (
        <div className="buttons inset due-selection">
          <Checkbox
            label={selected.length === 0 ? 'Select all' : `${formatCount(selected.length)} selected`}
            checked={selected.length === openEntries.length}
            onChange={(isSelected) => select(openEntries, isSelected)}
          />
          <Button
            small
            busy={busy}
            disabledReason={selected.length === 0 && 'Select due dates first.'}
            onClick={() => void markSelected()}
          >
            Mark selected as done
          </Button>
        </div>
      )}
      <DataTable
        columns={[
          { hidden: 'Selected', width: '4.2rem' },
          'Due',
          'State',
          'What',
          'Policy',
          'Insured',
          { num: 'Amount' },
          hasPeople && 'Assigned to',
          { hidden: 'Actions' },
        ]}
      >
        {drawn.map((entry) => (
          <DueRow
            key={entry.id}
            entry={entry}
            hasPeople={hasPeople}
            isSelected={selectedIds.has(entry.id)}
            onSelect={(isSelected) => select([entry], isSelected)}
            onShow={onShow}
          />
        ))}
      </DataTable>
      {list.total > drawn.length && (
        <p className="none">
          Showing the first {formatCount(drawn.length)} of {formatCount(list.total)}. Search, or choose a state or type.
        </p>
      )}
    </section>
  );
}

/** Not marked as done or not ours. */
function isOpen({ mark }: DueEntry): boolean {
  return mark === null || mark.kind === 'open';
}

interface RowProps {
  entry: DueEntry;
  hasPeople: boolean;
  isSelected: boolean;
  onSelect(isSelected: boolean): void;
  onShow(entry: DueEntry): void;
}

function DueRow({ entry, hasPeople, isSelected, onSelect, onShow }: RowProps) {
  const open = useOpenTransaction();
  const ask = useShowTransactions();
  const { save, busy } = useDueMarks();
  const nameOf = usePersonName();
  const name = `${entry.title} for ${describeSubject(entry)}`;
  return (
    <tr data-standing={entry.standing}>
      <td>
        {isOpen(entry) && (
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={(event) => onSelect(event.target.checked)}
          />
        )}
      </td>
      <td>
        <span className="buttons due-when">
          {entry.due !== null && <span className="no-wrap">{formatWeekdayDate(entry.due)}</span>}
          {entry.standing === 'later' ? (
            <span className="no-wrap quiet-text">{formatDaysLeft(entry.days_left)}</span>
          ) : (
            <WordTag of={dueTag(entry)} />
          )}
        </span>
      </td>
      <td>{entry.state}</td>
      <td>
        <button
          type="button"
          className="link-button wraps due-what"
          aria-label={`Details of ${name}`}
          title={entry.rule}
          onClick={() => onShow(entry)}
        >
          {entry.title}
        </button>{' '}
        {entry.sureness !== 'confirmed' && <WordTag of={SURENESS_TAGS[entry.sureness]} />}
        {entry.act_by !== null && (
          <span className="below" title="It is due on a weekend or holiday.">
            Act by {formatWeekdayDate(entry.act_by)}
          </span>
        )}
        {entry.mark !== null && entry.mark.kind !== 'open' && (
          <span className="below">
            {entry.mark.kind === 'done' ? 'Done' : 'Not ours'}, says {nameOf(entry.mark.by)}
          </span>
        )}
        {entry.mark !== null && entry.mark.note !== '' && <span className="below">Note: {entry.mark.note}</span>}
      </td>
      <td>
        <button
          type="button"
          className="link-button wraps"
          onClick={() => (entry.count > 1 ? ask(entryPeriod(entry)) : open(entry.transaction_id))}
        >
          {describeSubject(entry)}
        </button>
      </td>
      <td>
        {entry.count === 1 && (
          <span className="two-lines" title={entry.insured}>
            {entry.insured}
          </span>
        )}
      </td>
      <td className="num">{entry.amount !== null && <Amount value={entry.amount} />}</td>
      {hasPeople && (
        <td>
          <AssignedPerson kind="due_date" id={entry.id} name={name} assigned={entry.assigned} />
        </td>
      )}
      <td className="row-actions">
        {isOpen(entry) && (
          <Button small busy={busy} aria-label={`Mark ${name} as done`} onClick={() => void save([entry], 'done')}>
            Done
          </Button>
        )}
      </td>
    </tr>
  );
}
