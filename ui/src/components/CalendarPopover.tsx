import './calendar.css';

import { parseDate } from '@internationalized/date';
import type { RefObject } from 'react';
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

import { Icon } from './Icon';

interface Props {
  label: string;
  /** Where it opens. */
  place: RefObject<HTMLElement | null>;
  /** `yyyy-mm-dd`; none is chosen where it is empty. */
  date: string;
  today: string;
  onChoose(date: string): void;
  onClose(): void;
}

/** A month to choose a day from, by mouse or arrow keys. */
export function CalendarPopover({ label, place, date, today, onChoose, onClose }: Props) {
  return (
    <Popover
      className="floating popover calendar-popover"
      triggerRef={place}
      isOpen
      placement="bottom start"
      offset={2}
      onOpenChange={(open) => !open && onClose()}
    >
      <Dialog aria-label={label} className="calendar-dialog">
        {/* Weeks and names as an American office writes them, whatever the computer speaks. */}
        <I18nProvider locale="en-US">
          <Calendar
            aria-label={label}
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            {...(date === '' ? { defaultFocusedValue: parseDate(today) } : { defaultValue: parseDate(date) })}
            minValue={parseDate('1900-01-01')}
            maxValue={parseDate('2199-12-31')}
            onChange={(chosen) => onChoose(chosen.toString())}
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
                {(day) => (
                  <CalendarCell
                    date={day}
                    className={day.toString() === today ? 'calendar-day today' : 'calendar-day'}
                  />
                )}
              </CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </I18nProvider>
      </Dialog>
    </Popover>
  );
}
