import { useState } from 'react';

import type { ReviewView, ValueMatch } from '../../../bindings/operations';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import type { ReviewOperations } from '../review/useReviewOperations';
import { blankMatch } from './MatchStep';
import { ValueTable } from './ValueTable';

interface Props {
  review: ReviewView;
  work: ReviewOperations;
  onClose(): void;
}

/** Words without a code, matched once for all their rows. */
export function MatchValuesDialog({ review, work, onClose }: Props) {
  const [values, setValues] = useState<ValueMatch[]>(() => {
    const open = review.values.filter((value) => value.code === null);
    return open.length > 0 ? open : review.values;
  });
  const [remember, setRemember] = useState('');
  const given = values.filter((value) => value.code !== null);
  const rows = given.reduce((sum, value) => sum + value.rows, 0);
  const apply = () =>
    void work
      .run('review_match', {
        ...blankMatch(review.id),
        values: given,
        remember_as: remember.trim(),
        done: review.stage === 'review',
      })
      .then((next) => next && onClose());
  return (
    <Dialog title="Match values" wide hasInput onClose={onClose}>
      <div className="dialog-body">
        {values.length === 0 ? (
          <p>Every word has its code.</p>
        ) : (
          <ValueTable
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            values={values}
            onCode={(value, code) =>
              setValues(
                values.map((each) =>
                  each.field === value.field && each.found === value.found ? { ...each, code } : each,
                ),
              )
            }
          />
        )}
        <Field
          label="Remember as"
          hint="With the columns, for the next file of this kind. Empty: only for this one."
          placeholder={review.mapping || 'Such as AMS nightly'}
          value={remember}
          onChange={setRemember}
        />
      </div>
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabledReason={given.length === 0 && 'Choose what a word means first.'} onClick={apply}>
          Match in {rows === 1 ? '1 row' : `${new Intl.NumberFormat('en-US').format(rows)} rows`}
        </Button>
      </div>
    </Dialog>
  );
}
