import { useState } from 'react';

import { Button, DataTable, Dialog, Field } from '../../../components';
import { useOperationMutation, useToasts } from '../../../operations';
import { useFileSave } from '../../../operations/useOperation';
import { useReviewList } from '../useBatchQueries';
import { MappingVersions } from './MappingVersions';

interface Props {
  onClose(): void;
}

/** Saved mappings: renamed, copied, removed, shared as a file, put back to what they were. */
export function MappingsDialog({ onClose }: Props) {
  const { showToast } = useToasts();
  const mappings = useReviewList().data?.mappings ?? [];
  const [naming, setNaming] = useState<{ name: string; moves: boolean; to: string } | null>(null);
  const [removing, setRemoving] = useState('');
  const [versionsOf, setVersionsOf] = useState('');
  const copying = useOperationMutation('mapping_copy', ['review_list']);
  const removal = useOperationMutation('mapping_remove', ['review_list']);
  const file = useFileSave('mapping_export');
  const adding = useOperationMutation('mapping_add', ['review_list', 'mapping_versions']);
  const add = () =>
    adding.mutate(
      { handle: '', preview: false },
      { onSuccess: (added) => added.name !== '' && showToast(`Mapping ${added.name} added.`) },
    );
  const name = () => {
    if (!naming) return;
    const done = () => {
      showToast(naming.moves ? `Renamed to ${naming.to.trim()}.` : `Copied as ${naming.to.trim()}.`);
      setNaming(null);
    };
    copying.mutate(naming, { onSuccess: done });
  };
  const remove = (of: string) => {
    const done = () => {
      showToast(`Mapping ${of} removed.`);
      setRemoving('');
    };
    removal.mutate({ name: of }, { onSuccess: done });
  };
  return (
    <Dialog
      title="Mappings"
      wide
      onClose={onClose}
      onSubmit={name}
      error={copying.error ?? removal.error ?? adding.error}
      foot={
        <>
          <Button busy={adding.isPending} onClick={add}>
            Add from file…
          </Button>
          <span className="spring" />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {mappings.length === 0 && <p>No mapping is saved. Name one when you match the columns of a file.</p>}
      {mappings.length > 0 && (
        <DataTable label="Mappings" columns={['Name', 'Actions']}>
          {mappings.map((each) => (
            <tr key={each}>
              <th scope="row">{each}</th>
              <td className="buttons">
                {removing === each ? (
                  <>
                    <span>Remove {each}? Drafts and batches stay.</span>
                    <Button small onClick={() => setRemoving('')}>
                      Keep
                    </Button>
                    <Button small look="danger" busy={removal.isPending} onClick={() => remove(each)}>
                      Remove
                    </Button>
                  </>
                ) : (
                  <>
                    <Button
                      small
                      aria-label={`Rename ${each}`}
                      onClick={() => setNaming({ name: each, moves: true, to: each })}
                    >
                      Rename
                    </Button>
                    <Button
                      small
                      aria-label={`Copy ${each}`}
                      onClick={() => setNaming({ name: each, moves: false, to: `${each} copy` })}
                    >
                      Copy
                    </Button>
                    <Button small aria-label={`Save ${each} as file`} onClick={() => file.save({ name: each })}>
                      Save as file
                    </Button>
                    <Button
                      small
                      aria-label={`Earlier versions of ${each}`}
                      aria-expanded={versionsOf === each}
                      onClick={() => setVersionsOf(versionsOf === each ? '' : each)}
                    >
                      Versions
                    </Button>
                    <Button small aria-label={`Remove ${each}`} onClick={() => setRemoving(each)}>
                      Remove…
                    </Button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {mappings.includes(versionsOf) && <MappingVersions key={versionsOf} name={versionsOf} />}
      {naming && (
        <div className="in-line">
          <Field
            key={`${naming.name} ${naming.moves}`}
            label={naming.moves ? `New name of ${naming.name}` : `Name of the copy of ${naming.name}`}
            value={naming.to}
            onChange={(to) => setNaming({ ...naming, to })}
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <Button type="submit" look="primary" busy={copying.isPending}>
            {naming.moves ? 'Rename' : 'Copy'}
          </Button>
          <Button onClick={() => setNaming(null)}>Cancel</Button>
        </div>
      )}
    </Dialog>
  );
}
