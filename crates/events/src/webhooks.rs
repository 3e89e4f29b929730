//! Webhooks of the account and their deliveries, fetched from the service (contract section 6).
//!
//! The webhook that "Receive events" created belongs to the receiver: its address stays, and a new secret is stored
//! for the receiver and not shown to the person.

use bordereau_api::to_u32;
use bordereau_client::{Client, ClientError};
use bordereau_contract::{
    DeliveryAttempt, EventKind, Jurisdiction, TEST_EVENT, Webhook, WebhookDeliveries, WebhookDelivery,
    WebhookRequest,
};

use crate::EventInbox;
use crate::settings::{event_settings, store_event_secret};
use crate::subscribe::events_unsubscribe;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{active_profile, open_session};
use bordereau_session::secrets::{SecretName, SecretText};

/// Shown where the service makes a webhook or a secret and doesn't name the secret.
const NO_SECRET: &str = "The service named no secret. Look for it on the service's own pages: without it, signatures of deliveries can't be checked.";

/// Shown where the service adds a webhook and gives no id of it.
const NO_ID: &str = "The service added it and gave no id: look for its address in the list of webhooks before you change or remove it.";

/// Deliveries in one answer, however many the service returns at a time.
const COUNT_MAX: usize = 10_000;

async fn webhook_service(ctx: &Context) -> Result<Client, BoundaryError> {
    let profile = active_profile(ctx).await?;
    Ok(open_session(ctx, &profile).await?.client)
}

/// Every webhook of the account.
pub async fn webhook_list(ctx: &Context, _request: Nothing) -> Result<WebhookList, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let here = event_settings(ctx).await?.of(&profile.id).webhook;
    let client = open_session(ctx, &profile).await?.client;
    let (available, found) = match client.list_webhooks().await {
        Ok(found) => (true, found.webhooks),
        // This part of the interface is ours: a service may lack it.
        Err(ClientError::Rejected { status: 404 | 405, .. }) => (false, Vec::new()),
        Err(error) => return Err(from_client(error)),
    };
    Ok(WebhookList {
        available,
        webhooks: found.into_iter().map(|webhook| webhook_view(webhook, &here)).collect(),
        kinds: EventKind::ALL
            .into_iter()
            .map(|kind| NamedCode { code: kind.identifier().to_owned(), name: kind.title().to_owned() })
            .collect(),
    })
}

/// Adds or changes a webhook. The secret of a new one is in this answer and nowhere else.
///
/// # Errors
/// [`ErrorCode::Validation`] and [`ErrorCode::Rejected`] with the fields at fault; errors of the service.
pub async fn webhook_save(ctx: &Context, request: SaveWebhook) -> Result<WebhookSaved, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let kept = event_settings(ctx).await?.of(&profile.id);
    let id = request.id.clone();
    let mut asked = webhook_request(request)?;
    let client = open_session(ctx, &profile).await?.client;
    if id.is_empty() {
        let mut made = client.add_webhook(&asked).await.map_err(from_client)?;
        let secret = made.secret.take().unwrap_or_default();
        let is_nameless = made.id.trim().is_empty();
        // Some answer with its id and its secret alone.
        if is_nameless || made.url.trim().is_empty() {
            let WebhookRequest { title, description, events, url, header_key, states, .. } = asked;
            made = Webhook { title, description, events, url, header_key, states, ..made };
        }
        let mut saved = webhook_saved(made, &kept.webhook, secret);
        if is_nameless {
            saved.note = format!("{NO_ID} {}", saved.note).trim_end().to_owned();
        }
        return Ok(saved);
    }
    if id == kept.webhook {
        asked.url = kept.webhook_url;
    }
    let changed = client.change_webhook(&id, &asked).await.map_err(from_client)?;
    let (webhook, secret, note) = (webhook_view(changed, &kept.webhook), String::new(), String::new());
    Ok(WebhookSaved { webhook, secret, note })
}

/// Makes a new secret; the old one stops working at once. The secret of this computer's own webhook goes to its
/// receiver.
pub async fn webhook_new_secret(ctx: &Context, request: WebhookId) -> Result<WebhookSaved, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let here = event_settings(ctx).await?.of(&profile.id).webhook;
    let client = open_session(ctx, &profile).await?.client;
    let mut changed = client.renew_webhook_secret(&request.id).await.map_err(from_client)?;
    let secret = changed.secret.take().unwrap_or_default();
    let mut saved = webhook_saved(changed, &here, secret);
    if request.id == here && !saved.secret.is_empty() {
        let new = SecretText::new(std::mem::take(&mut saved.secret));
        store_event_secret(ctx, &profile.id, SecretName::WebhookSecret, Some(new)).await?;
        EventInbox::from_context(ctx).reset();
    }
    Ok(saved)
}

/// A webhook whose secret was just made.
fn webhook_saved(webhook: Webhook, here: &str, secret: String) -> WebhookSaved {
    let note = if secret.is_empty() { NO_SECRET.to_owned() } else { String::new() };
    WebhookSaved { webhook: webhook_view(webhook, here), secret, note }
}

/// Removes a webhook and its queue; for this computer's own webhook that ends the subscription.
pub async fn webhook_remove(ctx: &Context, request: WebhookId) -> Result<WebhookList, BoundaryError> {
    let profile = active_profile(ctx).await?;
    // Where this computer has none of its own, no id is its webhook's.
    if !request.id.is_empty() && request.id == event_settings(ctx).await?.of(&profile.id).webhook {
        events_unsubscribe(ctx, Nothing {}).await?;
    } else {
        webhook_service(ctx).await?.remove_webhook(&request.id).await.map_err(from_client)?;
    }
    webhook_list(ctx, Nothing {}).await
}

/// Sends a test at once; a failing endpoint is a result, not an error.
pub async fn webhook_try(ctx: &Context, request: WebhookId) -> Result<DeliveryTry, BoundaryError> {
    let tried = webhook_service(ctx).await?.test_webhook(&request.id).await;
    tried.map(attempt_view).map_err(from_client)
}

/// Deliveries of a webhook, the newest first.
pub async fn deliveries_list(
    ctx: &Context,
    request: DeliveriesRequest,
) -> Result<DeliveriesPage, BoundaryError> {
    let count = usize::try_from(request.count).unwrap_or(COUNT_MAX).clamp(1, COUNT_MAX);
    let client = webhook_service(ctx).await?;
    let (mut found, mut before) = (Vec::new(), None);
    while found.len() <= count {
        let page =
            client.webhook_deliveries(&request.webhook, request.state, before).await.map_err(from_client)?;
        let WebhookDeliveries { deliveries, before: next } = page;
        // Otherwise a service that returns nothing but claims there is more would be asked forever.
        before = next.filter(|_| !deliveries.is_empty());
        found.extend(deliveries);
        if before.is_none() {
            break;
        }
    }
    let more = found.len() > count;
    found.truncate(count);
    Ok(DeliveriesPage { deliveries: found.into_iter().map(delivery_view).collect(), more })
}

/// Everything known about a delivery: its body, and every attempt with its answer.
///
/// # Errors
/// [`ErrorCode::NotFound`]; errors of the service.
pub async fn delivery_log(ctx: &Context, request: DeliveryId) -> Result<DeliveryLog, BoundaryError> {
    let number = request.id.parse().map_err(|_| BoundaryError::not_found("delivery"))?;
    let found = webhook_service(ctx).await?.webhook_delivery(number).await.map_err(from_client)?;
    let mut tries: Vec<DeliveryTry> = found.log.into_iter().map(attempt_view).collect();
    // People look for the newest answer. Of two at the same moment the later one is further down the log.
    tries.reverse();
    tries.sort_by(|one, other| other.at.cmp(&one.at));
    Ok(DeliveryLog {
        delivery: delivery_view(found.delivery),
        bytes: to_u32(found.body.len()),
        body: super::event_details::readable_body(found.body.as_bytes()),
        tries,
    })
}

fn webhook_request(request: SaveWebhook) -> Result<WebhookRequest, BoundaryError> {
    let mut problems = Vec::new();
    let events =
        request.events.iter().filter_map(|word| EventKind::from_identifier(word)).collect::<Vec<_>>();
    if events.is_empty() {
        problems.push(FieldError::at_pointer("/events", "Choose at least one event."));
    }
    if request.title.trim().is_empty() {
        problems.push(FieldError::at_pointer("/title", "Give it a title."));
    }
    if request.url.trim().is_empty() {
        problems.push(FieldError::at_pointer("/url", "Enter the address for deliveries."));
    }
    let mut states: Vec<Jurisdiction> = Vec::new();
    for word in request.states.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
        match word.to_ascii_uppercase().parse() {
            Ok(state) => states.push(state),
            Err(_) => problems.push(FieldError::at_pointer(
                "/states",
                format!("{} is not a state; enter two letters such as TX.", word_excerpt(word)),
            )),
        }
    }
    if !problems.is_empty() {
        return Err(BoundaryError::invalid_fields(problems));
    }
    Ok(WebhookRequest {
        title: request.title.trim().to_owned(),
        description: request.description.trim().to_owned(),
        events,
        url: request.url.trim().to_owned(),
        header_key: request.header_name.trim().to_owned(),
        header_value: request.header_value,
        states,
    })
}

/// Enough of a word to recognize it.
fn word_excerpt(word: &str) -> String {
    word.chars().take(20).collect()
}

fn webhook_view(webhook: Webhook, here: &str) -> WebhookView {
    WebhookView {
        here: !here.is_empty() && webhook.id == here,
        id: webhook.id,
        title: webhook.title,
        description: webhook.description,
        events: webhook.events.into_iter().map(|kind| kind.identifier().to_owned()).collect(),
        url: webhook.url,
        header_name: webhook.header_key,
        states: webhook.states.into_iter().map(|state| state.code().to_owned()).collect(),
        created_at: webhook.created_at,
        waiting: u32::try_from(webhook.waiting).unwrap_or_default(),
    }
}

fn delivery_view(found: WebhookDelivery) -> DeliveryView {
    let title = match EventKind::from_identifier(&found.event) {
        Some(kind) => kind.title().to_owned(),
        None if found.event == TEST_EVENT => "Test".to_owned(),
        None => found.event.clone(),
    };
    DeliveryView {
        id: found.id.to_string(),
        title,
        event: found.event,
        subject: found.subject,
        event_id: found.event_id,
        state: found.status,
        attempts: found.attempts,
        created_at: found.created_at,
        next_attempt_at: found.next_attempt_at,
        finished_at: found.finished_at,
        response_status: found.response_status,
        error: found.error.unwrap_or_default(),
    }
}

fn attempt_view(attempt: DeliveryAttempt) -> DeliveryTry {
    DeliveryTry {
        at: attempt.at,
        response_status: attempt.response_status,
        response_body: attempt.response_body,
        error: attempt.error.unwrap_or_default(),
        milliseconds: to_u32(attempt.milliseconds),
    }
}
