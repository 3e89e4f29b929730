import { Button } from '../../../components';

interface Props {
  /** What the last step was; empty when there is none. */
  undo: string;
  onNext(): void;
  onExclude(): void;
  onUndo(): void;
  onFind(): void;
}

/** What is done in the grid again and again: for the mouse, and to learn the keys from. */
export function GridTools({ undo, onNext, onExclude, onUndo, onFind }: Props) {
  return (
    <div className="grid-tools" role="group" aria-label="Grid tools">
      <Button look="quiet" small keys="F8" onClick={onNext}>
        Next issue
      </Button>
      <Button look="quiet" small keys="Mod+Delete" title="Exclude or include the selected rows" onClick={onExclude}>
        Exclude
      </Button>
      <Button look="quiet" small keys="Mod+Z" disabledReason={undo === '' && 'Nothing to undo.'} onClick={onUndo}>
        Undo
      </Button>
      <Button look="quiet" small keys="Mod+F" onClick={onFind}>
        Find
      </Button>
    </div>
  );
}
