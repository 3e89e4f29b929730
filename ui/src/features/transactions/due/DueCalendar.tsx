import { useMemo, useState } from 'react';

import type { DueEntry, DueList } from '../../../bindings/operations';
import { Button, DataTable } from '../../../components';
import { formatCount, formatLongDate } from '../../../values';
import { formatMonth, toMonth, addMonths, WEEKDAYS, monthWeeks } from './months';
import { DUE_STATUS_LABELS, describeSubject } from './dueLabels';

interface Props {
  list: DueList;
  onShow(entry: DueEntry): void;
}

/** Entries of a day that are named; the others are counted and named on demand. */
const MAX_NAMED = 3;

/** A month as a table: what is due is listed on its day. */
export function DueCalendar({ list, onShow }: Props) {
  const byDay = useMemo(() => groupByDay(list.entries), [list.entries]);
  const [month, setMonth] = useState(toMonth(list.today));
  const first = list.entries.find((entry) => entry.due !== null)?.due;
  const inMonth = [...byDay].filter(([day]) => toMonth(day) === month).reduce((sum, [, of]) => sum + of.length, 0);
  return (
    <section className="card due-calendar" aria-label="Calendar">
      <div className="buttons inset month-bar">
        <Button aria-label="Previous month" onClick={() => setMonth(addMonths(month, -1))}>
          Previous{' '}
        </Button>
        <h2 aria-live="polite">
          {formatMonth(month)} <span className="quiet-text">{inMonth === 0 ? 'nothing due' : `${inMonth} due`}</span>
        </h2>
        <Button aria-label="Next month" onClick={() => setMonth(addMonths(month, 1))}>
          Next{' '}
        </Button>
        <span className="spring" />
        {first && toMonth(first) !== month && (
          <Button onClick={() => setMonth(toMonth(first))}>First due: {formatLongDate(first)}</Button>
        )}
        <Button onClick={() => setMonth(toMonth(list.today))}>Today</Button>
      </div>
      <DataTable
        label={`Due in ${formatMonth(month)}`}
        columns={WEEKDAYS.map((abbr) => ({ text: abbr.slice(0, 3), abbr }))}
      >
        {monthWeeks(month).map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <CalendarDay
                key={day}
                day={day}
                outside={toMonth(day) !== month}
                today={day === list.today}
                entries={byDay.get(day) ?? []}
                onShow={onShow}
              />
            ))}
          </tr>
        ))}
      </DataTable>
      {list.undated > 0 && (
        <p className="none">{formatCount(list.undated)} with no due date are listed in the table only.</p>
      )}
    </section>
  );
}

function groupByDay(entries: DueEntry[]): Map<string, DueEntry[]> {
  const found = new Map<string, DueEntry[]>();
  for (const entry of entries) {
    if (entry.due === null) continue;
    const of = found.get(entry.due);
    if (of) of.push(entry);
    else found.set(entry.due, [entry]);
  }
  return found;
}

interface CalendarDayProps {
  day: string;
  outside: boolean;
  today: boolean;
  entries: DueEntry[];
  onShow(entry: DueEntry): void;
}

function CalendarDay({ day, outside, today, entries, onShow }: CalendarDayProps) {
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.slice(0, MAX_NAMED);
  return (
    <td className={`due-day ${outside ? 'outside' : ''}`} aria-current={today ? 'date' : undefined}>
      <span className="number">
        {Number(day.slice(8))}
        <span className="only-read">
          {' '}
          {formatLongDate(day)}
          {today ? ', today' : ''}
        </span>
      </span>
      {shown.map((entry) => (
        <button
          key={entry.id}
          type="button"
          className={`due-entry cut ${DUE_STATUS_LABELS[entry.standing].tone}`}
          title={`${entry.state}: ${entry.title}, ${describeSubject(entry)}`}
          onClick={() => onShow(entry)}
        >
          <b>{entry.state}</b> {entry.title}
          <span className="only-read">
            , {describeSubject(entry)}, {DUE_STATUS_LABELS[entry.standing].word}
          </span>
        </button>
      ))}
      {entries.length > shown.length && (
        <button type="button" className="link-button due-entry cut" onClick={() => setAll(true)}>
          {formatCount(entries.length - shown.length)} more
        </button>
      )}
    </td>
  );
}
