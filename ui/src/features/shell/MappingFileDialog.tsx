import { Dialog } from '../../components';
import { useOperationMutation, useOperationQuery, useToasts } from '../../operations';

/** A mapping file was opened or dropped: says what it would change, and saves its mapping. */
export function MappingFileDialog({
  handle,
  fileName,
  onClose,
}: {
  handle: string;
  fileName: string;
  onClose(): void;
}) {
  const { showToast } = useToasts();
  const preview = useOperationQuery('mapping_add', { handle, preview: true }, { cacheMs: 0 });
  const adding = useOperationMutation('mapping_add', ['review_list', 'mapping_versions']);
  const found = preview.data;
  const add = () => {
    const done = ({ name }: { name: string }) => {
      showToast(`Mapping ${name} added.`);
      onClose();
    };
    adding.mutate({ handle, preview: false }, { onSuccess: done });
  };
  return (
    <Dialog
      title="Add this mapping?"
      onClose={onClose}
      error={preview.error ?? adding.error}
      action={{
        label: 'Add',
        busy: adding.isPending,
        disabledReason: preview.error ? "This file can't be added." : !found && 'Reading the file…',
        onClick: add,
      }}
    >
      {found && (
        <p>
          {fileName} has the mapping <strong>{found.name}</strong>.{' '}
          {found.replaces
            ? 'You have one of this name: it becomes an earlier version, which you can restore.'
            : 'You can choose it when you match the columns of a file.'}
        </p>
      )}
    </Dialog>
  );
}
