import { useState } from 'react';

import { Field, Picker } from '../../../components';
import { useImportFields } from '../bordereauFields';
import { RuleDialog, type RuleDialogProps, withRule } from './RuleDialog';

/** One value for every row that has none. */
export function DefaultDialog(props: RuleDialogProps) {
  const { review, at } = props;
  const fields = useImportFields();
  const before = at === null ? undefined : review.rules.defaults[at];
  const [field, setField] = useState(before?.field ?? '');
  const [value, setValue] = useState(before?.value ?? '');
  const choices = fields.find(field).choices;
  const others = review.rules.defaults.filter((rule, each) => each !== at && rule.field !== field);
  const choose = (next: string) => {
    setField(next);
    if (next !== field) setValue('');
  };
  return (
    <RuleDialog
      {...props}
      title="Fixed value"
      missing={field === '' ? 'Choose a field first.' : value.trim() === '' && 'Type the value first.'}
      rules={{ ...review.rules, defaults: withRule(others, null, { field, value, rows: 0 }) }}
    >
      <p>Every row without a value in this field gets the value below. Existing values aren’t changed.</p>
      <Picker
        label="Field"
        hideCode
        pointer="/rules/defaults/field"
        placeholder="Name of the field"
        choices={fields.list.map((each) => ({ code: each.field, name: each.title }))}
        value={field}
        onChange={choose}
        autoFocus
      />
      {choices.length > 0 ? (
        <Picker
          label="Value"
          pointer="/rules/defaults/value"
          placeholder="Name or code"
          choices={choices}
          value={value}
          onChange={setValue}
        />
      ) : (
        <Field
          label="Value"
          placeholder={field === '' ? '' : `e.g. ${fields.find(field).example}`}
          value={value}
          onChange={setValue}
        />
      )}
    </RuleDialog>
  );
}
