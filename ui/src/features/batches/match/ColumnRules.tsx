import { useState } from 'react';

import type { ChargeWord, ColumnMatch, ColumnRuleSet, ReviewView } from '../../../bindings/operations';
import { Button, DataTable, Tag } from '../../../components';
import { formatCount, pluralize } from '../../../values';
import { useImportFields } from '../bordereauFields';
import type { ReviewOperations } from '../review/useReviewOperations';
import { blankMatch } from './MatchStep';
import { ChargesDialog } from './ChargesDialog';
import { DefaultDialog } from './DefaultDialog';
import { LinesDialog } from './LinesDialog';
import { MergeDialog } from './MergeDialog';
import { SplitDialog } from './SplitDialog';

interface Props {
  review: ReviewView;
  work: ReviewOperations;
}

type RuleKind = keyof ColumnRuleSet;

interface RuleLine {
  kind: RuleKind;
  at: number;
  title: string;
  makes: string;
  note: string;
  /** Whether something has to be chosen. */
  isOpen?: boolean;
}

/** How a column of the file is called. */
export const columnTitle = (columns: ColumnMatch[], column: number): string => {
  const found = columns.find((each) => each.column === column);
  return found ? `${found.letters} ${found.header}`.trim() : '';
};

/** Values that no column of the file has by itself: one for every row, a column split, several merged, rows of one charge each, columns of one line each. */
export function ColumnRules({ review, work }: Props) {
  const [open, setOpen] = useState<{ kind: RuleKind; at: number | null } | null>(null);
  const lines = useRuleLines(review);
  const { rules } = review;
  const remove = ({ kind, at }: RuleLine) =>
    void work.run('review_match', {
      ...blankMatch(review.id),
      rules: { ...rules, [kind]: rules[kind].filter((_, each) => each !== at) },
    });
  const dialog = { review, work, at: open?.at ?? null, onClose: () => setOpen(null) };
  // The words of a column are known once it is applied: those that nobody has chosen a field for are asked for.
  const showUndecided = (next: ReviewView) => {
    const at = next.rules.charges.findIndex(({ words }) => words.some(isUndecided));
    setOpen(open?.at === null && at >= 0 ? { kind: 'charges', at } : null);
  };
  return (
    <section className="card" aria-label="Rules of the mapping">
      <h2>Rules of the mapping</h2>
      {lines.length > 0 && (
        <DataTable
          className="columns"
          label="Rules of the mapping"
          columns={['From', 'Fills', 'Rows', { hidden: 'Actions' }]}
        >
          {lines.map((line) => (
            <tr key={`${line.kind} ${line.at}`}>
              <th scope="row">{line.title}</th>
              <td>{line.makes}</td>
              <td className="quiet-text">{line.isOpen ? <Tag tone="warn">{line.note}</Tag> : line.note}</td>
              <td className="row-actions">
                <Button
                  small
                  aria-label={`Change ${line.title}`}
                  onClick={() => setOpen({ kind: line.kind, at: line.at })}
                >
                  Change…
                </Button>
                <Button small aria-label={`Remove ${line.title}`} onClick={() => remove(line)}>
                  Remove
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <div className="buttons inset">
        <Button onClick={() => setOpen({ kind: 'defaults', at: null })}>Fixed value…</Button>
        <Button onClick={() => setOpen({ kind: 'splits', at: null })}>Split a column…</Button>
        <Button onClick={() => setOpen({ kind: 'merges', at: null })}>Merge columns…</Button>
        <Button onClick={() => setOpen({ kind: 'charges', at: null })}>Rows of charges…</Button>
        <Button onClick={() => setOpen({ kind: 'lines', at: null })}>Premiums of lines…</Button>
        {lines.length === 0 && (
          <span className="quiet-text">
            For values that the file lacks, or has combined in one column such as “Houston, TX 77002”.
          </span>
        )}
      </div>
      {open?.kind === 'defaults' && <DefaultDialog {...dialog} />}
      {open?.kind === 'splits' && <SplitDialog {...dialog} />}
      {open?.kind === 'merges' && <MergeDialog {...dialog} />}
      {open?.kind === 'lines' && <LinesDialog {...dialog} />}
      {open?.kind === 'charges' && <ChargesDialog key={String(open.at)} {...dialog} onApplied={showUndecided} />}
    </section>
  );
}

/** Whether nobody has said what the amounts of a charge are. */
export const isUndecided = ({ field, ignored, rows }: ChargeWord) => field === null && !ignored && rows > 0;

function noteOf(words: ChargeWord[]): string {
  const open = words.filter(isUndecided).map(({ word }) => `“${word}”`);
  return open.length > 0 ? `without a field: ${open.join(', ')}` : 'each charge has a field';
}

function useRuleLines({ rules, columns }: ReviewView): RuleLine[] {
  const fields = useImportFields();
  const title = (field: string) => fields.find(field).title;
  const shown = (examples: string[]) => (examples.length > 0 ? `: ${examples.join('  ·  ')}` : '');
  const defaults = rules.defaults.map((rule, at): RuleLine => ({
    kind: 'defaults',
    at,
    title: `“${rule.value}” in every row without a value`,
    makes: title(rule.field),
    note: pluralize(rule.rows, 'row'),
  }));
  const splits = rules.splits.map((rule, at): RuleLine => ({
    kind: 'splits',
    at,
    title: `Column ${columnTitle(columns, rule.column)}`,
    makes: rule.parts
      .flatMap((part) => (part.field === null ? [] : [`${title(part.field)}${shown(part.examples)}`]))
      .join(';  '),
    note: rule.short_rows > 0 ? `${formatCount(rule.short_rows)} without all parts` : 'all have all parts',
  }));
  const merges = rules.merges.map((rule, at): RuleLine => ({
    kind: 'merges',
    at,
    title: `Columns ${rule.columns.map((column) => columnTitle(columns, column)).join(', ')}`,
    makes: `${title(rule.field)}${shown(rule.examples)}`,
    note:
      fields.find(rule.field).kind !== 'amount'
        ? ''
        : rule.separator === '-'
          ? 'the first less the others'
          : 'added up',
  }));
  const charges = rules.charges.map((rule, at): RuleLine => ({
    kind: 'charges',
    at,
    title: `Amounts in ${columnTitle(columns, rule.amount)}, by ${columnTitle(columns, rule.charge)}`,
    makes: rule.words
      .flatMap(({ word, field, rows }) => (field === null || rows === 0 ? [] : [`${title(field)}: “${word}”`]))
      .join(';  '),
    note: noteOf(rule.words),
    isOpen: rule.words.some(isUndecided),
  }));
  const lines = rules.lines.map((rule, at): RuleLine => ({
    kind: 'lines',
    at,
    title: `Columns ${rule.columns.map(({ column }) => columnTitle(columns, column)).join(', ')}`,
    makes: `${title('line_of_business_list')} and ${title('line_of_business_coverage').toLowerCase()}${shown(rule.examples)}`,
    note: 'each column has the premium of a line',
  }));
  return [...defaults, ...splits, ...merges, ...charges, ...lines];
}
