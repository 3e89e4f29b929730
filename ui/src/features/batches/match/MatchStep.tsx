import { useId, useRef, useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { DetectedView, ReviewMatch, ReviewView } from '../../../bindings/operations';
import { Button, Field, Form, Icon } from '../../../components';
import { useOperationAction, useToasts } from '../../../operations';
import { useBatchPlace } from '../../../workbench/batchPlace';
import { useReviewList } from '../useBatchQueries';
import { useImportFields } from '../bordereauFields';
import { ALL_SHEETS, ReviewHeader } from '../ReviewHeader';
import { SET_VALUE } from '../review/IssueGroups';
import type { ReviewOperations } from '../review/useReviewOperations';
import { ColumnRules } from './ColumnRules';
import { ColumnTable } from './ColumnTable';
import { ValueTable } from './ValueTable';
import { formatCount, pluralize } from '../../../values';
import { useFileSave } from '../../../operations/useOperation';

interface Props {
  review: ReviewView;
  work: ReviewOperations;
  onDone(): void;
  /** Back to rows without a change; null the first time. */
  onBack: (() => void) | null;
}

export function blankMatch(id: string): ReviewMatch {
  return {
    id,
    overrides: [],
    columns: [],
    values: [],
    rules: null,
    use_mapping: '',
    remember_as: '',
    done: false,
    keeps_proposals: false,
  };
}

/** Before the field of a group of rows that lack it. */
const MISSING = 'missing:';

/** Required fields that no column of the file fills and that rows lack; what one click gives all rows is not among them. */
function findUnmatchedFields({ groups, columns }: ReviewView): string[] {
  const missing = groups.filter(({ code, fix }) => code.startsWith(MISSING) && (fix ?? SET_VALUE) === SET_VALUE);
  const fields = missing.map(({ code }) => code.slice(MISSING.length));
  return fields.filter((field) => !columns.some((column) => column.field === field && column.letters !== ''));
}

/** What was detected, what each column is, what each word means. Each choice is taken at once. */
export function MatchStep({ review, work, onDone, onBack }: Props) {
  const [remember, setRemember] = useState('');
  const list = useReviewList().data;
  const { goTo } = useBatchPlace();
  const { find } = useImportFields();
  const files = useMappingFiles(review.id, work);
  const change = (part: Partial<ReviewMatch>) => work.run('review_match', { ...blankMatch(review.id), ...part });
  const open = review.detected.filter((each) => each.value === null);
  const known = review.detected.filter((each) => each.value !== null);
  // Below all columns nobody would see that words wait for a code; once on screen they stay where they are.
  const [areValuesFirst] = useState(() => review.values.some((value) => value.code === null));
  const form = useRef<HTMLFormElement>(null);
  const group = 'Match';
  useActions([
    {
      id: 'match.done',
      title: 'Review rows',
      group,
      keys: 'Mod+Enter',
      run: () => form.current?.querySelector<HTMLElement>('[type="submit"]')?.click(),
    },
    { id: 'match.list', title: 'All batches', group, keys: 'Alt+ArrowLeft', run: () => goTo({ at: 'list' }) },
    ...(onBack ? [{ id: 'match.back', title: 'Back to rows', group, run: onBack }] : []),
  ]);
  const finish = () => {
    void change({ done: true, remember_as: remember.trim() }).then((next) => next && onDone());
  };
  const choose = (what: string) => (value: string) => void change({ overrides: [{ code: what, name: value }] });
  const ofFile = review.columns.filter((column) => column.letters !== '');
  const matched = ofFile.filter((column) => column.field !== null).length;
  const unmatched = findUnmatchedFields(review).map((field) => find(field).title);
  const suggested = review.values.flatMap((value) =>
    value.code === null && value.proposed ? [{ ...value, code: value.proposed.code }] : [],
  );
  const values = review.values.length > 0 && (
    <section className="card" aria-label="Values">
      <h2>Value mapping</h2>
      {suggested.length > 1 && (
        <p className="inset">
          <Button small onClick={() => void change({ values: suggested })}>
            Use {pluralize(suggested.length, 'suggestion')}
          </Button>
        </p>
      )}
      <ValueTable values={review.values} onCode={(value, code) => void change({ values: [{ ...value, code }] })} />
    </section>
  );
  return (
    <Form className="column match" ref={form} onSubmit={finish}>
      <ReviewHeader review={review} step="Match" onAllSheets={() => choose('sheet')(ALL_SHEETS)}>
        {onBack && <Button onClick={onBack}>Back to rows</Button>}
      </ReviewHeader>
      <div className="view-body lists scrolls">
        {open.length > 0 && (
          <section className="card match-open" aria-label="Open questions">
            <h2>
              <Icon name="warning" /> {pluralize(open.length, 'question')} to answer
            </h2>
            {open.map((each) => (
              <OpenQuestion key={each.what} detected={each} onChoose={choose(each.what)} />
            ))}
          </section>
        )}
        {areValuesFirst && values}
        <section className="card" aria-label="Columns">
          <h2>
            Columns, {formatCount(matched)} of {formatCount(ofFile.length)} matched
          </h2>
          {unmatched.length > 0 && (
            <p className="note-box">
              Required, but no column is matched: <strong>{unmatched.join(', ')}</strong>. Choose their columns, or
              enter a fixed value below.
            </p>
          )}
          <ColumnTable
            columns={review.columns}
            onField={(column, field) => void change({ columns: [{ column, field }] })}
          />
        </section>
        <ColumnRules review={review} work={work} />
        {!areValuesFirst && values}
        <section className="card" aria-label="How the file was read">
          <h2>How the file was read</h2>
          <div className="fit detected">
            {known.map((each) => (
              <DetectedSetting key={each.what} detected={each} onChoose={choose(each.what)} />
            ))}
          </div>
        </section>
      </div>
      <div className="totals">
        {list && list.mappings.length > 0 && (
          <label className="in-line inline-choice">
            Mapping
            <select value={review.mapping} onChange={(event) => void change({ use_mapping: event.target.value })}>
              {!list.mappings.includes(review.mapping) && (
                <option value={review.mapping}>{review.mapping || 'none'}</option>
              )}
              {list.mappings.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <Field
          label="Remember as"
          placeholder="e.g. AMS nightly"
          value={remember}
          onChange={setRemember}
          className="in-line remember"
        />
        <Button onClick={files.open}>Open mapping file…</Button>
        <Button onClick={files.save}>Save mapping file…</Button>
        <span className="spring" />
        {open.length > 0 && <span className="quiet-text">Answer the open questions to continue.</span>}
        {open.length === 0 && unmatched.length > 0 && (
          <span className="quiet-text">
            {unmatched.length === 1
              ? '1 required field isn’t matched.'
              : `${formatCount(unmatched.length)} required fields aren’t matched.`}
          </span>
        )}
        <Button
          type="submit"
          look="primary"
          keys="Mod+Enter"
          disabledReason={open.length > 0 && `Answer first: ${open.map((each) => each.title).join(', ')}.`}
        >
          Review {pluralize(review.counts.rows, 'row')}
        </Button>
      </div>
    </Form>
  );
}

/** The mapping as a file that others can use, in the window and with `bordereau import --mapping`. */
function useMappingFiles(id: string, work: ReviewOperations): { open(): void; save(): void } {
  const opening = useOperationAction('mapping_open', ['review_list']);
  const saving = useFileSave('mapping_save');
  const { showToast } = useToasts();
  return {
    open: () =>
      opening.mutate(
        { id },
        {
          onSuccess: ({ name, review }) => {
            work.showReview(review);
            if (name !== '') showToast(`Mapping ${name} applied and saved.`);
          },
        },
      ),
    save: () => saving.save({ id }),
  };
}

interface DetectedProps {
  detected: DetectedView;
  onChoose(value: string): void;
}

function OpenQuestion({ detected, onChoose }: DetectedProps) {
  return (
    <fieldset className="question">
      <legend>{detected.title}</legend>
      <p>{detected.evidence}</p>
      <div className="buttons">
        {detected.choices.map((choice) => (
          <Button key={choice.code} onClick={() => onChoose(choice.code)}>
            {choice.name}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

function DetectedSetting({ detected, onChoose }: DetectedProps) {
  const { value, choices } = detected;
  const id = useId();
  const listed = choices.some((choice) => choice.code === value);
  return (
    <div className="known">
      <label htmlFor={id}>{detected.title}</label>
      {choices.length > 1 ? (
        <select
          id={id}
          aria-describedby={`${id}-evidence`}
          value={value ?? ''}
          onChange={(event) => onChoose(event.target.value)}
        >
          {!listed && <option value={value ?? ''}>{value}</option>}
          {choices.map((choice) => (
            <option key={choice.code} value={choice.code}>
              {choice.name}
            </option>
          ))}
        </select>
      ) : (
        <output id={id}>{choices.find((choice) => choice.code === value)?.name ?? value}</output>
      )}
      <span className="quiet-text" id={`${id}-evidence`}>
        {detected.evidence}
      </span>
    </div>
  );
}
