import { useState } from 'react';

import type { ChargeWord } from '../../../bindings/operations';
import { Checkbox, DataTable, SelectField } from '../../../components';
import { formatCount } from '../../../values';
import { useImportFields } from '../bordereauFields';
import { columnTitle, isUndecided } from './ColumnRules';
import { RuleDialog, type RuleDialogProps, withRule } from './RuleDialog';

const IGNORED = 'ignored';

/** Rows that have one charge each: which column names it, which has the amount, and the field of each word. */
export function ChargesDialog(props: RuleDialogProps) {
  const { review, at } = props;
  const before = at === null ? undefined : review.rules.charges[at];
  const [charge, setCharge] = useState(before ? String(before.charge) : '');
  const [amount, setAmount] = useState(before ? String(before.amount) : '');
  const [isType, setIsType] = useState(before?.is_type ?? false);
  const [chosen, setChosen] = useState(before?.words.toSorted(undecidedFirst) ?? []);
  const ofFile = review.columns.filter((column) => column.letters !== '');
  const choices = ofFile.map(({ column }) => ({ code: String(column), name: columnTitle(review.columns, column) }));
  // Words of another column are looked up when it is applied.
  const words = before && charge === String(before.charge) ? chosen : [];
  const rule = { charge: Number(charge), amount: Number(amount), is_type: isType, words };
  const choose = (word: string, code: string) =>
    setChosen(
      chosen.map((each) =>
        each.word === word ? { ...each, field: code === IGNORED ? null : code, ignored: code === IGNORED } : each,
      ),
    );
  return (
    <RuleDialog
      {...props}
      title="Rows of charges"
      missing={
        charge === ''
          ? 'Choose the column that says what each amount is for.'
          : amount === '' && 'Choose the column with the amounts.'
      }
      rules={{ ...review.rules, charges: withRule(review.rules.charges, at, rule) }}
    >
      <p>
        For files with a row for each premium, tax and fee. The rows of a policy become one transaction: the premium is
        one row’s amount, the tax another’s.
      </p>
      <SelectField label="What the amounts are for" choices={choices} value={charge} onChange={setCharge} />
      <SelectField label="Amounts" choices={choices} value={amount} onChange={setAmount} />
      {words.length > 0 && <WordTable words={words.filter((word) => word.rows > 0)} onChoose={choose} />}
      <Checkbox
        label="The premium’s words are the transaction types as well"
        hint="As where “NB” is in one row, and “SLT” in another."
        checked={isType}
        onChange={setIsType}
      />
    </RuleDialog>
  );
}

const undecidedFirst = (one: ChargeWord, other: ChargeWord) => Number(isUndecided(other)) - Number(isUndecided(one));

interface WordTableProps {
  words: ChargeWord[];
  onChoose(word: string, code: string): void;
}

function WordTable({ words, onChoose }: WordTableProps) {
  const { list } = useImportFields();
  const amounts = list.filter(({ kind }) => kind === 'amount');
  return (
    <DataTable className="values" label="Charges and their fields" columns={['Charge', { num: 'Rows' }, 'Field']}>
      {words.map(({ word, field, ignored, rows }) => (
        <tr key={word}>
          <th scope="row">“{word}”</th>
          <td className="num">{formatCount(rows)}</td>
          <td>
            <select
              aria-label={`Field of “${word}”`}
              className={field === null ? 'none-chosen' : ''}
              value={ignored ? IGNORED : (field ?? '')}
              onChange={(event) => onChoose(word, event.target.value)}
            >
              {field === null && !ignored && <option value="">Choose…</option>}
              {amounts.map((each) => (
                <option key={each.field} value={each.field}>
                  {each.title}
                </option>
              ))}
              <option value={IGNORED}>Don’t import</option>
            </select>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
