import { useState } from 'react';

import type { DeliveryTry, WebhookList, WebhookSaved, WebhookView } from '../../../bindings/operations';
import { Button, DataTable, RawText, Tag } from '../../../components';
import { useOperationAction, useToasts } from '../../../operations';
import { describeResponse, describeEvents } from './webhookLabels';

interface Props {
  list: WebhookList;
  /** Whose deliveries are shown. */
  shown: string;
  onShow(id: string): void;
  onEdit(webhook: WebhookView): void;
  onRemove(webhook: WebhookView): void;
  onSecret(made: WebhookSaved): void;
}

interface WebhookTest {
  webhook: WebhookView;
  answer: DeliveryTry;
}

/** Where the service delivers to, and what can be done with each. */
export function WebhookTable({ list, shown, onShow, onEdit, onRemove, onSecret }: Props) {
  const [tested, setTested] = useState<WebhookTest | null>(null);
  return (
    <section className="card" aria-label="Account webhooks">
      <DataTable columns={['Webhook', 'Events', { num: 'Waiting' }, { hidden: 'Actions' }]}>
        {list.webhooks.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            eventsText={describeEvents(webhook, list.kinds)}
            isShown={webhook.id === shown}
            onShow={() => onShow(webhook.id)}
            onEdit={() => onEdit(webhook)}
            onRemove={() => onRemove(webhook)}
            onSecret={onSecret}
            onTested={(answer) => setTested({ webhook, answer })}
          />
        ))}
      </DataTable>
      <div role="status">{tested && <WebhookTestResult of={tested} />}</div>
    </section>
  );
}

interface WebhookRowProps {
  webhook: WebhookView;
  eventsText: string;
  isShown: boolean;
  onShow(): void;
  onEdit(): void;
  onRemove(): void;
  onSecret(made: WebhookSaved): void;
  onTested(answer: DeliveryTry): void;
}

function WebhookRow({ webhook, eventsText, isShown, onShow, onEdit, onRemove, onSecret, onTested }: WebhookRowProps) {
  const testing = useOperationAction('webhook_try');
  const renewing = useOperationAction('webhook_new_secret', ['webhook_list']);
  const { showToast } = useToasts();
  const renew = () =>
    renewing.mutate(
      { id: webhook.id },
      {
        onSuccess: (made) => {
          // What the page holds of a secret is what it shows.
          renewing.reset();
          if (made.secret === '') showToast(made.note || 'The receiver on this computer has the new secret.');
          else onSecret(made);
        },
      },
    );
  return (
    <tr className={isShown ? 'shown' : ''}>
      <td>
        <button type="button" className="link-button" aria-current={isShown ? 'true' : undefined} onClick={onShow}>
          {webhook.title}
        </button>{' '}
        {webhook.here && <Tag tone="ok">this computer</Tag>}
        <span className="below wrap-anywhere">{webhook.url}</span>
        {webhook.description !== '' && <span className="below">{webhook.description}</span>}
      </td>
      <td>
        {eventsText}
        <span className="below">{webhook.states.length === 0 ? 'All states' : webhook.states.join(', ')}</span>
      </td>
      <td className="num">{webhook.waiting}</td>
      <td className="row-actions">
        <Button
          small
          aria-label={`Test ${webhook.title}`}
          busy={testing.isPending}
          onClick={() => testing.mutate({ id: webhook.id }, { onSuccess: onTested })}
        >
          Test
        </Button>{' '}
        <Button small aria-label={`Edit ${webhook.title}`} onClick={onEdit}>
          Edit{' '}
        </Button>{' '}
        <Button small aria-label={`New secret for ${webhook.title}`} busy={renewing.isPending} onClick={renew}>
          New secret
        </Button>{' '}
        <Button small aria-label={`Remove ${webhook.title}`} onClick={onRemove}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

/** What came of a test: the answer, and what to look at where it failed. */
function WebhookTestResult({ of: { webhook, answer } }: { of: WebhookTest }) {
  const isGood = answer.error === '';
  return (
    <div className="stack inset">
      <p>
        <Tag tone={isGood ? 'ok' : 'error'} icon={isGood ? 'check' : 'error'}>
          {isGood ? 'Test received' : 'Test failed'}
        </Tag>{' '}
        <strong>{webhook.title}</strong>: {describeResponse(answer)}, after {answer.milliseconds} ms.
      </p>
      {!isGood && answer.response_body !== '' && <RawText label="Response" text={answer.response_body} />}
    </div>
  );
}
