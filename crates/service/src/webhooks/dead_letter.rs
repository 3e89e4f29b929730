//! After the fourth failure \[spec]: a mail with instructions for manual import, and the system
//! notification with webhook title, event, endpoint, timestamp, event id, status and body of the answer.

use bordereau_contract::{EventKind, WebhookNotice};
use bordereau_service_store::webhooks::StoredWebhook;
use bordereau_service_store::webhooks_queue::{AttemptResult, DueDelivery};
use bordereau_service_store::{accounts, webhooks_notices};
use chrono::DateTime;
use rusqlite::{Connection, Result};

use super::event_stamp;

/// Of the event's body the mail has no more, in characters.
const BODY_CHARS_MAX: usize = 4_000;

/// Writes both, in the transaction that gives the delivery up.
pub(super) fn notify_subscriber(
    db: &Connection,
    webhook: &StoredWebhook,
    delivery: &DueDelivery,
    last: &AttemptResult,
) -> Result<()> {
    let now = DateTime::from_timestamp_millis(last.at).unwrap_or_default();
    let notice = WebhookNotice {
        id: 0,
        delivery_id: delivery.id,
        webhook_title: webhook.title.clone(),
        event: delivery.event.clone(),
        endpoint_url: webhook.url.clone(),
        timestamp: event_stamp(now),
        failed_event_id: delivery.event_id.to_string(),
        response_status: last.status,
        response_body: if last.status.is_some() {
            last.body.clone()
        } else {
            last.error.clone().unwrap_or_default()
        },
    };
    webhooks_notices::insert(db, &webhook.account_id, &notice)?;
    let account = accounts::by_id(db, &webhook.account_id)?;
    let username = account.map_or_else(|| webhook.account_id.clone(), |account| account.username);
    let to = if username.contains('@') { username } else { format!("{username}@practice.invalid") };
    let title = EventKind::from_identifier(&delivery.event).map_or("an event", EventKind::title);
    let subject = format!("Webhook \"{}\" could not be delivered: {title}", webhook.title);
    let text = notice_letter(&notice, title, &delivery.body());
    webhooks_notices::send_mail(db, &webhook.account_id, &to, &subject, &text, last.at)
}

fn notice_letter(notice: &WebhookNotice, title: &str, body: &str) -> String {
    let status = notice.response_status.map_or_else(|| "none".to_owned(), |status| status.to_string());
    let shown: String = body.chars().take(BODY_CHARS_MAX).collect();
    let cut = if shown.len() < body.len() { "\n(shortened; the delivery log has all of it)" } else { "" };
    format!(
        "The event below was sent four times and never answered with status 200. It will not be sent again \
         by itself.\n\n\
         Webhook: {}\nEvent: {} ({title})\nEndpoint: {}\nGiven up: {} UTC\nEvent id: {}\n\
         Response status: {status}\nResponse: {}\n\n\
         To import it by hand:\n\
         1. Fix the endpoint, so that it answers with 200 once it has stored what it was sent.\n\
         2. Send the event again: bordereau webhook redeliver {}\n   (or \"Send again\" beside the delivery).\n\
         3. If the endpoint cannot be fixed, apply the data in the body below yourself. For a \
         transaction ask for its record by transaction_id, for a batch for its results by batch_id.\n\n\
         Body:\n{shown}{cut}\n",
        notice.webhook_title,
        notice.event,
        notice.endpoint_url,
        notice.timestamp,
        notice.failed_event_id,
        notice.response_body,
        notice.delivery_id,
    )
}
