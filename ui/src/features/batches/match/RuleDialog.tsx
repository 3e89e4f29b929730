import type { ReactNode } from 'react';

import type { ColumnRuleSet, ReviewView } from '../../../bindings/operations';
import { Dialog } from '../../../components';
import { useOperationMutation } from '../../../operations';
import type { ReviewOperations } from '../review/useReviewOperations';
import { blankMatch } from './MatchStep';

export interface RuleDialogProps {
  review: ReviewView;
  work: ReviewOperations;
  /** The rule that is changed; null for a new one. */
  at: number | null;
  onClose(): void;
  /** In place of closing, where there is more to be asked. */
  onApplied?(next: ReviewView): void;
}

/** The list with a rule put into its place, or behind the others. */
export function withRule<T>(rules: T[], at: number | null, rule: T): T[] {
  return at === null ? [...rules, rule] : rules.map((each, place) => (place === at ? rule : each));
}

interface Props extends RuleDialogProps {
  title: string;
  /** Why it cannot be applied yet. */
  missing: string | false;
  rules: ColumnRuleSet;
  children: ReactNode;
}

/** A rule of the mapping as it is set: the core says what cannot be. */
export function RuleDialog({ title, missing, rules, review, work, onClose, onApplied = onClose, children }: Props) {
  const applying = useOperationMutation('review_match');
  const apply = () =>
    applying.mutate(
      { ...blankMatch(review.id), rules },
      {
        onSuccess: (next) => {
          work.showReview(next);
          onApplied(next);
        },
      },
    );
  return (
    <Dialog
      title={title}
      wide
      hasInput
      bodyClass="stack"
      onClose={onClose}
      onSubmit={() => !missing && apply()}
      error={applying.error}
      action={{ label: 'Apply', busy: applying.isPending, disabledReason: missing }}
    >
      {children}
    </Dialog>
  );
}
