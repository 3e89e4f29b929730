import { Button } from '../../../components';
import { useOperationAction, useOperationQuery } from '../../../operations';

/** The folder whose new spreadsheets become drafts. What comes of them is among the drafts. */
export function WatchedFolder() {
  const watch = useOperationQuery('watch_state', {}, { alwaysRefetch: true }).data;
  const choosing = useOperationAction('watch_choose', ['watch_state']);
  const ending = useOperationAction('watch_end', ['watch_state']);
  if (!watch) return null;
  const failed = watch.arrivals.filter((arrival) => arrival.problem !== '');
  return (
    <section className="card watched-folder" aria-label="Watched folder">
      <div className="buttons inset">
        {watch.folder === '' ? (
          <span className="quiet-text">New spreadsheets in a folder can become drafts automatically.</span>
        ) : (
          <span>
            Watching <strong>{watch.folder}</strong>: a new spreadsheet becomes a draft. Nothing is sent or moved.
          </span>
        )}
        <span className="spring" />
        <Button small busy={choosing.isPending} onClick={() => choosing.mutate({})}>
          {watch.folder === '' ? 'Watch a folder…' : 'Change folder…'}
        </Button>
        {watch.folder !== '' && (
          <Button small busy={ending.isPending} onClick={() => ending.mutate({})}>
            Stop watching
          </Button>
        )}
      </div>
      {watch.folder !== '' && watch.remark !== '' && <p className="note-box">{watch.remark}</p>}
      {failed.length > 0 && (
        <ul className="note-box" aria-label="Files that could not be read">
          {failed.map((arrival) => (
            <li key={arrival.number}>
              <strong>{arrival.name}</strong>: {arrival.problem}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
