import { type CSSProperties, useRef } from 'react';

import { CalendarPopover } from '../../../components/CalendarPopover';
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
  const choose = (date: string) =>
    platform.call('review_date', { ...cell, date }).then(
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
        <CalendarPopover
          {...{ label, place, today }}
          date={data.date ?? ''}
          onChoose={(date) => void choose(date)}
          onClose={onCancel}
        />
      )}
    </>
  );
}
