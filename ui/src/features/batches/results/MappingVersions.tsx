import { Button, DataTable, ErrorBox } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { useOperationQuery } from '../../../operations/useOperation';
import { formatWhen } from '../../../values';
import { useWorkbench } from '../../../workbench/Workbench';

/** What a mapping was before it was saved again; each can be put back. */
export function MappingVersions({ name }: { name: string }) {
  const { reference } = useWorkbench();
  const { showToast } = useToasts();
  const { data, error, refetch } = useOperationQuery('mapping_versions', { name }, { cacheMs: 0, alwaysRefetch: true });
  const restoring = useOperationMutation('mapping_restore', ['mapping_versions', 'review_list']);
  const restore = (number: number) =>
    restoring.mutate({ name, number }, { onSuccess: () => showToast(`Earlier version of ${name} restored.`) });
  if (error) return <ErrorBox error={error} onRetry={refetch} />;
  if (!data) return null;
  if (data.versions.length === 0)
    return <p className="quiet-text">{name} has no earlier version. One is kept each time you save over it.</p>;
  return (
    <>
      {restoring.error && <ErrorBox error={restoring.error} />}
      <DataTable
        label={`Earlier versions of ${name}`}
        columns={['Replaced', 'Restoring changes', { hidden: 'Actions' }]}
      >
        {data.versions.map((version) => (
          <tr key={version.number}>
            <th scope="row">{formatWhen(version.replaced_at, reference.today)}</th>
            <td>
              {version.changes.length === 0 ? 'No changes: same as the current version.' : version.changes.join('; ')}
            </td>
            <td className="row-actions">
              <Button
                small
                aria-label={`Restore version ${version.number} of ${name}`}
                busy={restoring.isPending}
                onClick={() => restore(version.number)}
              >
                Restore
              </Button>
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
