import { type KeyboardEvent, Suspense, useRef, useState } from 'react';

import { addDays, explainInvalidDate, formatDate, formatWeekdayDate, isDate, weekdayName } from '../values';
import { parseDate } from '../values/date';
import { Field } from './Field';
import { Icon } from './Icon';
import { lazyNamed } from './lazyNamed';

const CalendarPopover = lazyNamed(() => import('./CalendarPopover'), 'CalendarPopover');

interface Props {
  label: string;
  /** `yyyy-mm-dd`, or the text as typed while it isn’t a date. */
  value: string;
  onChange(value: string): void;
  today: string;
  error?: string | undefined;
  pointer: string;
  required?: boolean | undefined;
  /** Needed, without a star that says so to the eye. */
  'aria-required'?: boolean;
}

/** A date typed in any usual way, with its weekday, or chosen from a calendar; arrow keys move it by a day. */
export function DateField({ value, onChange, today, error, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [typing, setTyping] = useState<string | null>(null);
  const date = typing === null ? value : (parseDate(typing, today) ?? typing);
  const finish = () => setTyping(null);
  const unreadable = typing === null && value !== '' && !isDate(value);
  const open = () => {
    // What has the focus now gets it back.
    input.current?.focus();
    finish();
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.key === 'ArrowDown') {
      event.preventDefault();
      return open();
    }
    const days = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (event.key === 'Enter') finish();
    if (days === 0) return;
    event.preventDefault();
    finish();
    onChange(isDate(date) ? addDays(date, days) : today);
  };
  return (
    <Field
      {...rest}
      ref={input}
      aria-haspopup="dialog"
      aria-keyshortcuts="Alt+ArrowDown"
      inputMode="numeric"
      placeholder="mm/dd/yyyy"
      value={typing ?? formatDate(value)}
      suffix={weekdayName(date)}
      suffixLabel={formatWeekdayDate(date)}
      error={error ?? (unreadable ? explainInvalidDate(value) : undefined)}
      onChange={(text) => {
        setTyping(text);
        onChange(parseDate(text, today) ?? text.trim());
      }}
      onBlur={finish}
      onKeyDown={onKeyDown}
    >
      <button type="button" className="open" tabIndex={-1} aria-label={`Calendar for ${rest.label}`} onClick={open}>
        <Icon name="calendar" />
      </button>
      {isOpen && (
        <Suspense>
          <CalendarPopover
            label={rest.label}
            place={input}
            date={isDate(date) ? date : ''}
            today={today}
            onChoose={(chosen) => {
              onChange(chosen);
              setOpen(false);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </Field>
  );
}
