import type { GridLayout } from '../../../bindings/operations';
import { Button } from '../../../components';
import { pluralize } from '../../../values';

interface Props {
  /** What the last step was; empty when there is none. */
  undo: string;
  onNext(): void;
  onExclude(): void;
  onUndo(): void;
  onFind(): void;
  /** Columns without a value in any row. */
  blank: number;
  layout: GridLayout;
  onLayout(change: Partial<GridLayout>): void;
}

/** What is done in the grid again and again: for the mouse, and to learn the keys from. */
export function GridTools({ undo, onNext, onExclude, onUndo, onFind, blank, layout, onLayout }: Props) {
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
      {blank > 0 && (
        <Button
          look="quiet"
          small
          aria-pressed={layout.shows_blank}
          title="Show columns without a value in any row"
          onClick={() => onLayout({ shows_blank: !layout.shows_blank })}
        >
          {pluralize(blank, 'empty column')}
        </Button>
      )}
      <Button
        look="quiet"
        small
        aria-pressed={layout.file_order}
        title="Columns in the order of the file"
        onClick={() => onLayout({ file_order: !layout.file_order })}
      >
        File order
      </Button>
    </div>
  );
}
