import { useState } from 'react';

import { Button, CloseButton, DataTable, Picker } from '../../../components';
import { useLineChoices } from '../../../workbench/useLineChoices';
import { columnTitle } from './ColumnRules';
import { RuleDialog, type RuleDialogProps, withRule } from './RuleDialog';

const COLUMNS_MAX = 12;

/** Columns with the premium of one line of business each: which column has which line. */
export function LinesDialog(props: RuleDialogProps) {
  const { review, at } = props;
  const before = at === null ? undefined : review.rules.lines[at];
  const known = before?.columns.map(({ column, line }) => ({ column: String(column), line }));
  const [rows, setRows] = useState(known ?? [BLANK, BLANK]);
  const lines = useLineChoices();
  const ofFile = review.columns.filter((column) => column.letters !== '');
  const columns = ofFile.map(({ column }) => ({ code: String(column), name: columnTitle(review.columns, column) }));
  const chosen = rows.filter(({ column, line }) => column !== '' || line !== '');
  const rule = { columns: chosen.map(({ column, line }) => ({ column: Number(column), line })), examples: [] };
  const change = (nth: number, part: Partial<typeof BLANK>) =>
    setRows(rows.map((row, place) => (place === nth ? { ...row, ...part } : row)));
  return (
    <RuleDialog
      {...props}
      title="Premiums of lines"
      missing={
        chosen.length === 0
          ? 'Choose a column and its line of business.'
          : chosen.some(({ column, line }) => column === '' || line === '') &&
            'Choose the column and the line of business in each row.'
      }
      rules={{ ...review.rules, lines: withRule(review.rules.lines, at, rule) }}
    >
      <p>
        For files with a column of premium for each line, such as “GL Premium” and “Property Premium”. The lines of a
        transaction are those whose premium isn’t empty or 0.
      </p>
      <DataTable
        className="values"
        label="Columns and their lines"
        columns={['Column', 'Line of business', { hidden: 'Remove', width: '3.2rem' }]}
      >
        {rows.map(({ column, line }, nth) => (
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={nth}>
            <td>
              <select
                aria-label={`Column ${nth + 1}`}
                className={column === '' ? 'none-chosen' : ''}
                value={column}
                onChange={(event) => change(nth, { column: event.target.value })}
              >
                {column === '' && <option value="">Choose…</option>}
                {columns.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            </td>
            <td>
              <Picker
                cell
                label={`Line of business ${nth + 1}`}
                placeholder="Name or code"
                choices={lines}
                value={line}
                pointer={`/lines/${nth}`}
                onChange={(code) => change(nth, { line: code })}
              />
            </td>
            <td>
              <CloseButton
                label={`Remove column ${nth + 1}`}
                onClick={() => setRows(rows.filter((_, place) => place !== nth))}
              />
            </td>
          </tr>
        ))}
      </DataTable>
      <div className="buttons">
        <Button
          small
          disabledReason={rows.length >= COLUMNS_MAX && 'At most 12 columns have a line each.'}
          onClick={() => setRows([...rows, BLANK])}
        >
          Add column
        </Button>
      </div>
    </RuleDialog>
  );
}

const BLANK = { column: '', line: '' };
