import { type CalendarDate, parseDate } from '@internationalized/date';
import { type CSSProperties, useRef } from 'react';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Dialog,
  Heading,
  I18nProvider,
  Popover,
} from 'react-aria-components';

import { Icon } from '../../../components';
import { useOperationQuery } from '../../../operations/useOperation';
import { usePlatform, useReferenceData, useToasts } from '../../../operations';
import { OperationError } from '../../../platform';

/** A cell of the review's table. */
interface TableCell {
  id: string;
  row: number;
  column: number;
}

interface Props {
  label: string;
  cell: TableCell;
  style: CSSProperties;
  onDone(text: string): void;
  onCancel(): void;
}

/** A calendar at a cell. The core reads the cell's date, and writes the chosen one as the column writes dates. */
export function DateCalendar({ label, cell, style, onDone, onCancel }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const platform = usePlatform();
  const { showError } = useToasts();
  const today = useReferenceData().data?.today;
  const { data } = useOperationQuery('review_date', { ...cell, date: '' }, { alwaysRefetch: true, cacheMs: 0 });
  const choose = (date: CalendarDate) =>
    platform.call('review_date', { ...cell, date: date.toString() }).then(
      ({ text }) => onDone(text),
      (error: unknown) => {
        if (error instanceof OperationError) showError(error);
        onCancel();
      },
    );
  return (
    <>
      <span ref={place} className="calendar-place" style={style} />
      {data && today && (
        <Popover
          className="floating popover calendar-popover"
          triggerRef={place}
          isOpen
          placement="bottom start"
          offset={2}
          onOpenChange={(open) => !open && onCancel()}
        >
          <Dialog aria-label={label} className="calendar-dialog">
            {/* Weeks and names as an American office writes them, whatever the computer speaks. */}
            <I18nProvider locale="en-US">
              <Calendar
                aria-label={label}
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus
                {...(data.date ? { defaultValue: parseDate(data.date) } : { defaultFocusedValue: parseDate(today) })}
                minValue={parseDate('1900-01-01')}
                maxValue={parseDate('2199-12-31')}
                onChange={(date) => void choose(date as CalendarDate)}
              >
                <div className="calendar-head">
                  <Button slot="previous" className="icon-button turned">
                    <Icon name="right" />
                  </Button>
                  <Heading />
                  <Button slot="next" className="icon-button">
                    <Icon name="right" />
                  </Button>
                </div>
                <CalendarGrid weekdayStyle="short">
                  <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
                  <CalendarGridBody>
                    {(date) => (
                      <CalendarCell
                        date={date}
                        className={date.toString() === today ? 'calendar-day today' : 'calendar-day'}
                      />
                    )}
                  </CalendarGridBody>
                </CalendarGrid>
              </Calendar>
            </I18nProvider>
          </Dialog>
        </Popover>
      )}
    </>
  );
}
