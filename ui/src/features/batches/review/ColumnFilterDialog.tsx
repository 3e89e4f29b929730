import { useState } from 'react';

import type { ColumnFilter, RowsQuery } from '../../../bindings/operations';
import { Button, Checkbox, Dialog, Field, useDebounced } from '../../../components';
import { useOperationQuery } from '../../../operations/useOperation';
import { formatCount, pluralize } from '../../../values';

const SETTLE_MS = 200;

interface Props {
  id: string;
  rows: RowsQuery;
  column: number;
  title: string;
  onFilter(filter: ColumnFilter): void;
  onClose(): void;
}

/** Which rows a column lets through: by a text, or by its values. */
export function ColumnFilterDialog({ id, rows, column, title, onFilter, onClose }: Props) {
  const before = rows.columns.find((each) => each.column === column);
  const [text, setText] = useState(before?.text ?? '');
  const [chosen, setChosen] = useState<string[]>(before?.values ?? []);
  const { data, error } = useOperationQuery('review_values', { id, rows, column }, { cacheMs: 0, alwaysRefetch: true });
  const needle = useDebounced(text.toLowerCase(), SETTLE_MS);
  const values = data?.values.filter((value) => value.text.toLowerCase().includes(needle)) ?? [];
  const toggle = (value: string, on: boolean) =>
    setChosen(on ? [...chosen, value] : chosen.filter((each) => each !== value));
  const apply = (filter: Omit<ColumnFilter, 'column'>) => {
    onFilter({ column, ...filter });
    onClose();
  };
  return (
    <Dialog
      title={`Filter by ${title}`}
      hasInput
      onClose={onClose}
      onSubmit={() => apply({ text: text.trim(), values: chosen })}
      scrollLabel="Values"
      error={error}
      foot={before && <Button onClick={() => apply({ text: '', values: [] })}>Clear this filter</Button>}
      action={{ label: 'Filter' }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <Field label="Contains" value={text} onChange={setText} autoFocus />
      <p className="quiet-text filter-values" role="status">
        {chosen.length > 0 ? `Only these: ${pluralize(chosen.length, 'value')}.` : 'Or only rows with these values:'}
      </p>
      <div className="value-list" role="group" aria-label={`Values of ${title}`}>
        {values.map((value) => (
          <Checkbox
            key={value.text}
            label={`${value.text || '(empty)'} · ${formatCount(value.rows)}`}
            checked={chosen.includes(value.text)}
            onChange={(on) => toggle(value.text, on)}
          />
        ))}
      </div>
      {data?.has_more && <p className="quiet-text">The most frequent 500 values are listed. Type to find others.</p>}
    </Dialog>
  );
}
