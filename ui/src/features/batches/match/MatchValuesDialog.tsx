import { useState } from 'react';

import type { ReviewView, ValueMatch } from '../../../bindings/operations';
import { Button, Dialog, Field } from '../../../components';
import type { ReviewOperations } from '../review/useReviewOperations';
import { blankMatch } from './MatchStep';
import { ValueTable } from './ValueTable';
import { pluralize } from '../../../values';

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
  const proposed = values.filter((value) => value.proposed);
  const suggested = proposed.filter((value) => value.code === null);
  const takeSuggestions = () =>
    setValues(values.map((each) => ({ ...each, code: each.code ?? each.proposed?.code ?? null })));
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
    <Dialog
      title="Match values"
      wide
      hasInput
      onClose={onClose}
      foot={
        proposed.length > 1 && (
          <Button disabledReason={suggested.length === 0 && 'Every suggestion is used.'} onClick={takeSuggestions}>
            Use {suggested.length === 0 ? 'suggestions' : pluralize(suggested.length, 'suggestion')}
          </Button>
        )
      }
      action={{
        label: `Match ${pluralize(rows, 'row')}`,
        disabledReason: given.length === 0 && 'Choose a code first.',
        onClick: apply,
      }}
    >
      {values.length === 0 ? (
        <p>Every value has a code.</p>
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
        hint="A file with the same headings is matched like this from now on. With a name, other files can use it too."
        placeholder={review.mapping || 'e.g. AMS nightly'}
        value={remember}
        onChange={setRemember}
      />
    </Dialog>
  );
}
