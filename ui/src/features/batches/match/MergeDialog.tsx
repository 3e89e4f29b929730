import { useState } from 'react';

import { Button, Field, SelectField } from '../../../components';
import { useImportFields } from '../bordereauFields';
import { columnTitle } from './ColumnRules';
import { FieldSelect } from './FieldSelect';
import { RuleDialog, type RuleDialogProps, withRule } from './RuleDialog';

const COLUMNS_MAX = 12;

const SIGNS = [
  { code: '+', name: 'Add all of them' },
  { code: '-', name: 'First less the others, such as debit less credit' },
];

/** Several columns as one field. */
export function MergeDialog(props: RuleDialogProps) {
  const { review, at } = props;
  const fields = useImportFields();
  const before = at === null ? undefined : review.rules.merges[at];
  const [columns, setColumns] = useState<string[]>(before?.columns.map(String) ?? ['', '']);
  const [typed, setTyped] = useState(before?.separator ?? ' ');
  const [sign, setSign] = useState(before?.separator === '-' ? '-' : '+');
  const [field, setField] = useState(before?.field ?? null);
  const isAmount = field !== null && fields.find(field).kind === 'amount';
  const separator = isAmount ? sign : typed;
  const ofFile = review.columns.filter((column) => column.letters !== '');
  const choices = ofFile.map(({ column }) => ({ code: String(column), name: columnTitle(review.columns, column) }));
  const chosen = columns.filter((column) => column !== '');
  const example = chosen
    .map((column) => ofFile.find((each) => String(each.column) === column)?.examples[0] ?? '')
    .filter(Boolean)
    .join(separator);
  const merge = { columns: chosen.map(Number), separator, field: field ?? '', examples: [] };
  return (
    <RuleDialog
      {...props}
      title="Merge columns"
      missing={chosen.length < 2 ? 'Choose at least two columns.' : field === null && 'Choose a field first.'}
      rules={{ ...review.rules, merges: withRule(review.rules.merges, at, merge) }}
    >
      {columns.map((column, nth) => (
        <SelectField
          // oxlint-disable-next-line react/no-array-index-key
          key={nth}
          label={`Column ${nth + 1}`}
          choices={choices}
          value={column}
          onChange={(next) => setColumns(withRule(columns, nth, next))}
        />
      ))}
      <div className="buttons">
        <Button
          small
          disabledReason={columns.length >= COLUMNS_MAX && 'At most 12 columns are merged.'}
          onClick={() => setColumns([...columns, ''])}
        >
          Add column
        </Button>
      </div>
      <FieldSelect label="Field" value={field} onChange={setField} />
      {isAmount ? (
        <SelectField label="Amounts" choices={SIGNS} value={sign} onChange={setSign} />
      ) : (
        <Field
          label="Between them"
          hint="A space, a comma, or a word. Empty cells are skipped."
          value={typed}
          onChange={setTyped}
        />
      )}
      {example !== '' && !isAmount && (
        <p className="quiet-text" role="status">
          {field === null ? 'First row' : fields.find(field).title}: {example}
        </p>
      )}
    </RuleDialog>
  );
}
