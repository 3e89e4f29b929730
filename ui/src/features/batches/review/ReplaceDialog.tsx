import { useState } from 'react';

import type { ReviewReplace, ReviewView, RowsQuery } from '../../../bindings/operations';
import { Checkbox, Dialog, Field, SelectField, useDebounced } from '../../../components';
import { type CellRange, isSingleCell } from '../../../components/grid/selection';
import { useOperationMutation, useToasts } from '../../../operations';
import { useOperationQuery } from '../../../operations/useOperation';
import { formatShortcut, pluralize } from '../../../values';
import { type BordereauColumn, useImportFields } from '../bordereauFields';
import { toArea } from '../grid/cellAreas';
import { FixPreview } from './FixPreview';

/** While the person types nothing is looked for. */
const SETTLE_MS = 300;
/** Beyond every file. */
const LAST_ROW = 0xff_ff_ff_ff;

interface Props {
  id: string;
  /** What others had changed of the draft when it was shown. */
  seenChanges: number;
  rows: RowsQuery;
  ranges: CellRange[];
  columns: BordereauColumn[];
  onDone(review: ReviewView): void;
  onClose(): void;
}

/** Replaces a text in all rows shown, in the column or in the selection: what it changes is shown before. */
export function ReplaceDialog({ id, seenChanges, rows, ranges, columns, onDone, onClose }: Props) {
  const { showToast } = useToasts();
  const fields = useImportFields();
  const [text, setText] = useState('');
  const [replacement, setReplacement] = useState('');
  const [hasCase, setCase] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const isOneCell = ranges.every(isSingleCell) && ranges.length === 1;
  const [where, setWhere] = useState(isOneCell ? 'column' : 'selection');
  const picked = columns.filter((_, place) => ranges.some(({ left, right }) => place >= left && place <= right));
  const titles = picked.map((column) => fields.find(column.field ?? '').title);
  const [title = '', ...others] = titles;
  const request: Omit<ReviewReplace, 'preview'> = {
    id,
    seen_changes: seenChanges,
    rows,
    text,
    replacement,
    has_case: hasCase,
    is_whole: isWhole,
    areas:
      where === 'selection'
        ? ranges.map((range) => toArea(range, columns))
        : [{ first: 0, last: LAST_ROW, columns: (where === 'all' ? columns : picked).map(({ column }) => column) }],
  };
  const asked = JSON.stringify(request);
  const settled = useDebounced(asked, SETTLE_MS);
  const canAsk = text !== '' || isWhole;
  const preview = useOperationQuery(
    'review_replace',
    { ...(JSON.parse(settled) as typeof request), preview: true },
    { enabled: canAsk && settled === asked, cacheMs: 0, alwaysRefetch: true },
  );
  const applying = useOperationMutation('review_replace');
  const found = canAsk && settled === asked ? preview.data : undefined;
  const apply = () =>
    applying.mutate(
      { ...request, preview: false },
      {
        onSuccess: (outcome) => {
          onDone(outcome.review);
          showToast(`Replaced in ${pluralize(outcome.total, 'cell')}. Undo with ${formatShortcut('Mod+Z')}.`);
          onClose();
        },
      },
    );
  const why = !canAsk ? 'Type what to find.' : !found ? 'Working…' : found.total === 0 && 'Nothing to replace.';
  return (
    <Dialog
      title="Find and replace"
      wide
      hasInput
      onClose={onClose}
      onSubmit={() => !why && apply()}
      error={applying.error ?? (canAsk && preview.error)}
      action={{
        label: found && found.total > 0 ? `Replace in ${pluralize(found.total, 'cell')}` : 'Replace',
        busy: applying.isPending,
        disabledReason: why,
      }}
    >
      <div className="replace-fields">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <Field label="Find" value={text} onChange={setText} autoFocus />
        <Field label="Replace with" value={replacement} onChange={setReplacement} />
        <SelectField
          label="Where"
          value={where}
          onChange={setWhere}
          choices={[
            { code: 'selection', name: `Selection: ${describeSelection(ranges)}` },
            {
              code: 'column',
              name: others.length === 0 ? `Column: ${title}` : pluralize(titles.length, 'selected column'),
            },
            { code: 'all', name: 'All columns shown' },
          ]}
        />
      </div>
      <div className="buttons">
        <Checkbox label="Match case" checked={hasCase} onChange={setCase} />
        <Checkbox label="Match entire cell" checked={isWhole} onChange={setWhole} />
      </div>
      <p className="quiet-text" role="status">
        {!canAsk && 'What would change is shown here first.'}
        {canAsk && !found && !preview.error && 'Working…'}
        {found && (found.total === 0 ? 'Nothing to replace.' : `${pluralize(found.total, 'cell')} would change.`)}
      </p>
      {found && found.total > 0 && <FixPreview outcome={found} />}
    </Dialog>
  );
}

function describeSelection(ranges: CellRange[]): string {
  const [range, ...others] = ranges;
  if (!range || others.length > 0) return pluralize(ranges.length, 'range');
  return pluralize(range.bottom - range.top + 1, 'row');
}
