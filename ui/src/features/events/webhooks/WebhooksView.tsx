import './webhooks.css';

import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { WebhookList, WebhookSaved, WebhookView } from '../../../bindings/operations';
import { Button, ConfirmDialog, QueryError, ViewHeader } from '../../../components';
import { useOperationQuery, useToasts } from '../../../operations';
import { useNavigation } from '../../../workbench/navigation';
import { DeliveryTable } from './DeliveryTable';
import { WebhookSecretDialog } from './WebhookSecretDialog';
import { WebhookDialog } from './WebhookDialog';
import { WebhookTable } from './WebhookTable';
import { pluralize } from '../../../values';

/** How many wait changes without this desk. */
const POLL_MS = 5000;

type WebhookPanel = { at: 'edit'; webhook: WebhookView | null } | { at: 'remove'; webhook: WebhookView } | null;

/** Webhooks of the account at the service, and what came of every delivery to them. */
export function WebhooksView() {
  const list = useOperationQuery('webhook_list', {}, { refetchEvery: POLL_MS, alwaysRefetch: true });
  const [chosen, setChosen] = useState<string | null>(null);
  const [panel, setPanel] = useState<WebhookPanel>(null);
  const [made, setMade] = useState<WebhookSaved | null>(null);
  const { go } = useNavigation();
  const { showToast } = useToasts();
  const add = () => setPanel({ at: 'edit', webhook: null });
  const group = 'Webhooks';
  useActions([
    { id: 'webhooks.add', title: 'Add webhook', group, run: add },
    { id: 'webhooks.events', title: 'Back to events', group, run: () => go('events') },
  ]);
  const webhooks = list.data?.webhooks ?? [];
  const shown = webhooks.find((webhook) => webhook.id === chosen) ?? webhooks[0];
  const saved = (answer: WebhookSaved) => {
    setPanel(null);
    setChosen(answer.webhook.id);
    if (answer.secret !== '') setMade(answer);
    if (answer.note !== '') showToast(answer.note);
  };
  return (
    <div className="view webhooks">
      <ViewHeader title="Webhooks" note={list.data?.available ? pluralize(webhooks.length, 'webhook') : ''}>
        <Button onClick={() => go('events')}>Events</Button>
        <Button
          look="primary"
          disabledReason={list.data?.available === false && 'Set up this service’s webhooks on its own website.'}
          onClick={add}
        >
          Add webhook{' '}
        </Button>
      </ViewHeader>
      <div className="view-body lists">
        <QueryError of={list} />
        {list.data && webhooks.length === 0 && <NoWebhooks list={list.data} />}
        {list.data && webhooks.length > 0 && (
          <WebhookTable
            list={list.data}
            shown={shown?.id ?? ''}
            onShow={setChosen}
            onEdit={(webhook) => setPanel({ at: 'edit', webhook })}
            onRemove={(webhook) => setPanel({ at: 'remove', webhook })}
            onSecret={setMade}
          />
        )}
        {shown && <DeliveryTable key={shown.id} webhook={shown} />}
      </div>
      {panel?.at === 'edit' && list.data && (
        <WebhookDialog webhook={panel.webhook} kinds={list.data.kinds} onClose={() => setPanel(null)} onSaved={saved} />
      )}
      {panel?.at === 'remove' && <RemoveDialog webhook={panel.webhook} onClose={() => setPanel(null)} />}
      {made && <WebhookSecretDialog saved={made} onClose={() => setMade(null)} />}
    </div>
  );
}

function NoWebhooks({ list }: { list: WebhookList }) {
  return (
    <div className="card empty">
      <strong>{list.available ? 'No webhooks yet' : 'Set up this service’s webhooks on its own website'}</strong>
      <p>
        {list.available
          ? 'A webhook notifies your own address when something happens at the service. To get notified in this window, choose “Receive events” under Events, which creates one for you.'
          : 'Add one in your account settings there. Events, Receiving lists what to enter.'}
      </p>
    </div>
  );
}

/** What goes with it is said before it goes. */
function RemoveDialog({ webhook, onClose }: { webhook: WebhookView; onClose(): void }) {
  const waiting =
    webhook.waiting > 0 ? `, and ${pluralize(webhook.waiting, 'delivery', 'deliveries')} in progress are canceled` : '';
  return (
    <ConfirmDialog
      title="Remove this webhook?"
      keep="Keep webhook"
      act="Remove"
      operation="webhook_remove"
      request={{ id: webhook.id }}
      refresh={['webhook_list', 'events_settings', 'events_status', 'practice_show']}
      done={`Removed ${webhook.title}.`}
      onClose={onClose}
    >
      The service stops notifying <strong>{webhook.title}</strong>
      {waiting}. Its delivery log is deleted too.
      {webhook.here && ' This computer stops receiving events but keeps the ones it has.'}
    </ConfirmDialog>
  );
}
