import type { KeptAnswer } from '../../bindings/operations';
import { Button, QueryError } from '../../components';
import { useOperationAction, useOperationQuery } from '../../operations';
import { useFileSave } from '../../operations/useOperation';
import { formatWhen, pluralize } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';

/** What the service answered that could not be read, to look at and to send to the provider. */
export function UnreadAnswersPanel() {
  const list = useOperationQuery('unread_answers', {}, { alwaysRefetch: true });
  const { save } = useFileSave('unread_answers_save');
  const clearing = useOperationAction('unread_answers_clear', ['unread_answers']);
  if (list.error) return <QueryError of={list} />;
  const answers = list.data?.answers ?? [];
  const none = answers.length === 0 && 'There are no such responses.';
  return (
    <section className="card card-body stack" aria-label="Responses that weren’t understood">
      <h2>Responses that weren’t understood</h2>
      <p>
        {list.data && `${list.data.profile}: `}
        {answers.length === 0
          ? 'Every response so far was understood.'
          : 'Save them to send to your provider. They contain no keys and no passwords, but they may contain policy data.'}
      </p>
      <div className="buttons">
        <Button disabledReason={none} onClick={() => save({ ids: [] })}>
          Save all
        </Button>
        <Button disabledReason={none} onClick={() => clearing.mutate({})}>
          Clear
        </Button>
      </div>
      {answers.map((kept) => (
        <UnreadAnswer key={kept.id} kept={kept} onSave={() => save({ ids: [kept.id] })} />
      ))}
    </section>
  );
}

function UnreadAnswer({ kept, onSave }: { kept: KeptAnswer; onSave(): void }) {
  const { reference } = useWorkbench();
  const { answer, times } = kept;
  const what = answer.lost === 0 ? 'not understood' : `${pluralize(answer.lost, 'part')} not understood`;
  const title = `${answer.operation}, status ${answer.status}, ${what}, ${formatWhen(kept.at, reference.today)}`;
  return (
    <details className="unread-answer">
      <summary>
        {title}
        {times > 1 && `, ${times} times`}
      </summary>
      {answer.parts.length > 0 && (
        <ul>
          {answer.parts.map((part) => (
            <li key={part.path}>
              <b>{part.path}</b>: {part.reason}
            </li>
          ))}
        </ul>
      )}
      <h3>Headers</h3>
      <pre>{answer.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
      <h3>Body, {pluralize(answer.body_bytes, 'byte')}</h3>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label="Body">
        {answer.body}
      </pre>
      <Button small aria-label={`Save ${title}`} onClick={onSave}>
        Save
      </Button>
    </details>
  );
}
