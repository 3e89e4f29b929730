import { useState } from 'react';

import type { ColumnSplitRule, SplitMethod } from '../../../bindings/operations';
import { Button, Field, SelectField } from '../../../components';
import { useWorkbench } from '../../../workbench/Workbench';
import { columnTitle } from './ColumnRules';
import { FieldSelect } from './FieldSelect';
import { RuleDialog, type RuleDialogProps, withRule } from './RuleDialog';

const METHODS: readonly { code: SplitMethod; name: string }[] = [
  { code: 'separators', name: 'At separators: Houston, TX 77002' },
  { code: 'separators_from_end', name: 'At separators, from the end: San Antonio TX 78205' },
  { code: 'positions', name: 'After a number of characters: TX77002' },
];
const OTHER = 'other';
const SEPARATORS: readonly { code: string; name: string }[] = [
  { code: ',', name: 'Comma' },
  { code: ' ', name: 'Space' },
  { code: ';', name: 'Semicolon' },
  { code: '/', name: 'Slash' },
  { code: '-', name: 'Hyphen' },
  { code: '|', name: 'Vertical bar' },
  { code: '\n', name: 'Line break' },
  { code: OTHER, name: 'Another text' },
];

interface PartForm {
  field: string | null;
  /** Behind it; of no matter for the last part. */
  separator: string;
  position: string;
}

const PART: PartForm = { field: null, separator: ' ', position: '' };

/** Two parts, which end where the column's own texts suggest it: at the first usual separator that all of them have. */
function firstParts(examples: string[]): PartForm[] {
  const found = SEPARATORS.find(({ code }) => examples.every((text) => text.includes(code)));
  return [{ ...PART, separator: examples.length > 0 && found ? found.code : ',' }, PART];
}

function partsOf(rule: ColumnSplitRule): PartForm[] {
  const { parts, separators, positions } = rule;
  const ordered = separators.length < parts.length - 1 ? fillSeparators(separators, parts.length - 1) : separators;
  const behind = rule.method === 'separators_from_end' ? ordered.toReversed() : ordered;
  return parts.map(({ field }, at) => ({ field, separator: behind[at] ?? ' ', position: String(positions[at] ?? '') }));
}

const fillSeparators = (separators: string[], count: number): string[] =>
  Array.from({ length: count }, (_, at) => separators[at] ?? separators.at(-1) ?? ' ');

/** One column as several fields. */
export function SplitDialog(props: RuleDialogProps) {
  const { review, at } = props;
  const partsMax = useWorkbench().reference.column_parts_max;
  const before = at === null ? undefined : review.rules.splits[at];
  const [column, setColumn] = useState(before ? String(before.column) : '');
  const [method, setMethod] = useState<SplitMethod>(before?.method ?? 'separators');
  const [parts, setParts] = useState<PartForm[]>(before ? partsOf(before) : firstParts([]));
  const ofFile = review.columns.filter((each) => each.letters !== '');
  const chosen = ofFile.find((each) => String(each.column) === column);
  const between = parts.slice(0, -1);
  const separators = between.map((part) => part.separator);
  const isByPosition = method === 'positions';
  const rule: ColumnSplitRule = {
    column: Number(column),
    method,
    separators: isByPosition ? [] : method === 'separators' ? separators : separators.toReversed(),
    positions: isByPosition ? between.map((part) => Number(part.position)) : [],
    parts: parts.map(({ field }) => ({ field, examples: [] })),
    short_rows: 0,
  };
  const isUnset = isByPosition
    ? between.some((part) => !/^[1-9]\d{0,3}$/.test(part.position))
    : separators.some((separator) => separator === '');
  const missing =
    column === ''
      ? 'Choose a column first.'
      : isUnset
        ? 'Enter where each part ends.'
        : parts.every((part) => part.field === null) && 'Choose a field for at least one part.';
  const chooseColumn = (code: string) => {
    setColumn(code);
    if (!before && column === '')
      setParts(firstParts(ofFile.find((each) => String(each.column) === code)?.examples ?? []));
  };
  const change = (nth: number, part: Partial<PartForm>) =>
    setParts(parts.map((each, place) => (place === nth ? { ...each, ...part } : each)));
  return (
    <RuleDialog
      {...props}
      title="Split a column"
      missing={missing}
      rules={{ ...review.rules, splits: withRule(review.rules.splits, at, rule) }}
    >
      <SelectField
        label="Column"
        choices={ofFile.map((each) => ({ code: String(each.column), name: columnTitle(review.columns, each.column) }))}
        value={column}
        onChange={chooseColumn}
      />
      {chosen && chosen.examples.length > 0 && <p className="quiet-text">{chosen.examples.join('  ·  ')}</p>}
      <SelectField
        label="How"
        choices={METHODS}
        value={method}
        onChange={(code) => setMethod(METHODS.find((each) => each.code === code)?.code ?? 'separators')}
      />
      {parts.map((part, nth) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div className="split-part" key={nth}>
          <FieldSelect
            label={`Part ${nth + 1}`}
            none="Don’t import"
            value={part.field}
            onChange={(field) => change(nth, { field })}
          />
          {nth < parts.length - 1 &&
            (isByPosition ? (
              <Field
                label={`Part ${nth + 1} ends after character`}
                inputMode="numeric"
                value={part.position}
                onChange={(position) => change(nth, { position })}
              />
            ) : (
              <SeparatorField
                label={`Part ${nth + 1} ends at`}
                value={part.separator}
                onChange={(separator) => change(nth, { separator })}
              />
            ))}
        </div>
      ))}
      <div className="buttons">
        <Button
          small
          disabledReason={parts.length >= partsMax && `A column is split into at most ${partsMax} parts.`}
          onClick={() => setParts([...parts, PART])}
        >
          Add part
        </Button>
        <Button
          small
          disabledReason={parts.length <= 2 && 'There are at least two parts.'}
          onClick={() => setParts(parts.slice(0, -1))}
        >
          Remove last part
        </Button>
      </div>
    </RuleDialog>
  );
}

interface SeparatorProps {
  label: string;
  value: string;
  onChange(separator: string): void;
}

/** A usual separator, or another text. */
function SeparatorField({ label, value, onChange }: SeparatorProps) {
  const isUsual = SEPARATORS.some((each) => each.code === value);
  return (
    <>
      <SelectField
        label={label}
        choices={SEPARATORS}
        value={isUsual ? value : OTHER}
        onChange={(code) => onChange(code === OTHER ? '' : code)}
      />
      {!isUsual && <Field label={`${label}: text`} value={value} onChange={onChange} />}
    </>
  );
}
