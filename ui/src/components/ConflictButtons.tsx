import type { OperationError } from '../platform';
import { Button } from './Button';

interface Props {
  error: OperationError;
  /** Saves this person's change in place of the other one, which has this revision. */
  onMine(revision: string): void;
  /** Drops this person's change. */
  onTheirs(): void;
}

/** The two ways out where someone else changed the same thing; nothing for any other error. */
export function ConflictButtons({ error, onMine, onTheirs }: Props) {
  const { revision } = error.boundary;
  if (revision === undefined) return null;
  return (
    <div className="buttons">
      <Button small onClick={() => onMine(revision)}>
        Put mine in
      </Button>
      <Button small onClick={onTheirs}>
        Keep theirs
      </Button>
    </div>
  );
}
