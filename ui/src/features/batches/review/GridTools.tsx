import { Button } from '../../../components/Button';

interface Props {
  /** What the last step was; empty when there is none. */
  undo: string;
  /** Why nothing can be changed yet; empty when it can. */
  locked: string;
  onNext(): void;
  onExclude(): void;
  onUndo(): void;
  onFind(): void;
}

/** What is done in the grid again and again: for the mouse, and to learn the keys from. */
export function GridTools({ undo, locked, onNext, onExclude, onUndo, onFind }: Props) {
  return (
    <div className="grid-tools" role="group" aria-label="In the grid">
      <Button look="quiet" small keys="F8" onClick={onNext}>
        Next problem
      </Button>
      <Button
        look="quiet"
        small
        keys="Mod+Delete"
        title="Leaves out the selected rows, or takes them in again"
        disabledReason={locked}
        onClick={onExclude}
      >
        Leave out
      </Button>
      <Button
        look="quiet"
        small
        keys="Mod+Z"
        disabledReason={locked || (undo === '' && 'Nothing to undo.')}
        onClick={onUndo}
      >
        Undo
      </Button>
      <Button look="quiet" small keys="Mod+F" onClick={onFind}>
        Find
      </Button>
    </div>
  );
}
