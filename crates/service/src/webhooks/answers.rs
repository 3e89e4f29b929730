//! Webhooks as an account sets them up and looks after them \[ours].

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use bordereau_contract::{
    AccountWebhooks, DeliveryAttempt, DeliveryDetail, DeliveryStatus, Event, EventBody, EventReference,
    ServicePaths, TEST_EVENT, Webhook, WebhookDeliveries, WebhookDelivery, WebhookNotices, WebhookRequest,
    WebhookTestResult,
};
use bordereau_dialects::ServiceEndpoint;
use bordereau_service_store::accounts::Account;
use bordereau_service_store::webhooks::{self, StoredWebhook};
use bordereau_service_store::webhooks_notices;
use bordereau_service_store::webhooks_queue::{self, AttemptResult, DeliveryEntry};
use serde::Serialize;

use super::sender::{SignatureStyle, Target};
use super::{dispatch, event_stamp, form, outbox, rfc3339_instant};
use crate::Clock;
use crate::answer::json_status;
use crate::body;
use crate::imports::query_value;
use crate::refusal::Refusal;
use crate::secrets;
use crate::service::AppState;

/// Deliveries, attempts or notices one answer has.
const PAGE: i64 = 50;

/// The addresses of webhooks, below the path of the contract.
pub(crate) fn webhook_routes(paths: &ServicePaths) -> Router<AppState> {
    let at = paths.webhooks.as_str();
    Router::new()
        .route(at, get(list_webhooks).post(add_webhook))
        .route(&format!("{at}/notices"), get(list_notices))
        .route(&format!("{at}/deliveries/{{id}}"), get(show_delivery))
        .route(&format!("{at}/deliveries/{{id}}/redeliver"), post(redeliver_event))
        .route(&format!("{at}/{{id}}"), get(show_webhook).put(change_webhook).delete(remove_webhook))
        .route(&format!("{at}/{{id}}/secret"), post(new_secret))
        .route(&format!("{at}/{{id}}/test"), post(test_webhook))
        .route(&format!("{at}/{{id}}/deliveries"), get(list_deliveries))
}

/// Admits the caller, does the work and answers, under the faults that were asked for.
async fn answer_call<T: Serialize>(
    app: &AppState,
    request: Request,
    status: StatusCode,
    work: impl AsyncFnOnce(WebhookCall) -> Result<T, Refusal>,
) -> Response {
    let answer = async |request: Request| {
        let (parts, body) = request.into_parts();
        let account = app.admit_caller(&parts).await?;
        let asked = WebhookCall { account, query: parts.uri.query().map(str::to_owned), parts, body };
        Ok(json_status(status, &work(asked).await?))
    };
    app.answer(ServiceEndpoint::Webhooks, request, answer).await
}

/// A request whose caller is known.
struct WebhookCall {
    account: Arc<Account>,
    query: Option<String>,
    parts: axum::http::request::Parts,
    body: axum::body::Body,
}

impl WebhookCall {
    async fn read_webhook(self) -> Result<(Arc<Account>, WebhookRequest), Refusal> {
        let text = body::json_text(&self.parts, self.body).await?;
        let mut request: WebhookRequest = body::parse_object(&text)?;
        request.title = request.title.trim().to_owned();
        request.url = request.url.trim().to_owned();
        request.events.sort_unstable();
        request.events.dedup();
        Ok((self.account, request))
    }
}

fn no_webhook() -> Refusal {
    Refusal::not_found("The account has no such webhook.")
}

fn no_delivery() -> Refusal {
    Refusal::not_found("The account has no such delivery.")
}

fn webhook_view(kept: StoredWebhook, waiting: i64, secret: Option<String>) -> Webhook {
    Webhook {
        id: kept.id,
        title: kept.title,
        description: kept.description,
        events: kept.events,
        url: kept.url,
        header_key: kept.header_key,
        states: kept.states,
        created_at: rfc3339_instant(kept.created_at * 1_000),
        waiting,
        secret,
    }
}

/// `GET`: all webhooks of the account.
async fn list_webhooks(State(app): State<AppState>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let found = app.store.with_connection(move |db| {
            let found = webhooks::list_webhooks(db, &asked.account.id)?;
            found
                .into_iter()
                .map(|kept| {
                    let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
                    Ok(webhook_view(kept, waiting, None))
                })
                .collect::<rusqlite::Result<Vec<Webhook>>>()
        });
        Ok(AccountWebhooks { webhooks: found.await? })
    })
    .await
}

/// `POST`: a new webhook, with its secret for this one time.
async fn add_webhook(State(app): State<AppState>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::CREATED, async |asked| {
        let (account, request) = asked.read_webhook().await?;
        let problems = form::find_problems(&request, app.webhooks.loopback_rule(&account));
        if !problems.is_empty() {
            return Err(Refusal::invalid_fields(problems));
        }
        let secret = form::fresh_secret();
        let id = secrets::generate_id();
        let kept = StoredWebhook {
            seq: 0,
            account_id: account.id.clone(),
            title: request.title,
            description: request.description,
            events: request.events,
            url: request.url,
            header_value: seal_secret(&app, &id, &request.header_value)?,
            header_key: request.header_key,
            secret: seal_secret(&app, &id, &secret)?,
            states: request.states,
            created_at: app.clock.now().timestamp(),
            id,
        };
        let added = app
            .store
            .with_connection(move |db| {
                if webhooks::list_webhooks(db, &kept.account_id)?.len() >= form::WEBHOOKS_MAX {
                    return Ok(None);
                }
                webhooks::insert(db, kept).map(Some)
            })
            .await?;
        let too_many =
            || format!("An account has at most {} webhooks; remove one first.", form::WEBHOOKS_MAX);
        let added = added.ok_or_else(|| Refusal::conflict("", too_many()))?;
        Ok(webhook_view(added, 0, Some(secret)))
    })
    .await
}

/// Seals a secret; nothing stays nothing.
fn seal_secret(app: &AppState, id: &str, secret: &str) -> Result<String, Refusal> {
    if secret.is_empty() {
        return Ok(String::new());
    }
    app.webhooks.sealer.seal_secret(id, secret).map_err(Refusal::internal_error)
}

/// `GET` of one.
async fn show_webhook(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let found = app.store.with_connection(move |db| {
            let Some(kept) = webhooks::find_webhook(db, &asked.account.id, &id)? else { return Ok(None) };
            let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
            Ok(Some(webhook_view(kept, waiting, None)))
        });
        found.await?.ok_or_else(no_webhook)
    })
    .await
}

/// `PUT`: everything as the body says; an empty `header_value` keeps the one there is, unless its header is another.
async fn change_webhook(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let (account, request) = asked.read_webhook().await?;
        let keeps_value = !request.header_key.is_empty() && request.header_value.is_empty();
        let problems: Vec<_> = form::find_problems(&request, app.webhooks.loopback_rule(&account))
            .into_iter()
            .filter(|problem| !(keeps_value && problem.pointer == "/header_value"))
            .collect();
        if !problems.is_empty() {
            return Err(Refusal::invalid_fields(problems));
        }
        let value = seal_secret(&app, &id, &request.header_value)?;
        app.store
            .with_connection(move |db| {
                let Some(mut kept) = webhooks::find_webhook(db, &account.id, &id)? else {
                    return Ok(Err(no_webhook()));
                };
                // A value is for the header it was given for.
                let fits = !kept.header_value.is_empty() && kept.header_key == request.header_key;
                if keeps_value && !fits {
                    return Ok(Err(Refusal::invalid_field("/header_value", "A value is required.")));
                }
                if !keeps_value {
                    kept.header_value = value;
                }
                kept.title = request.title;
                kept.description = request.description;
                kept.events = request.events;
                kept.url = request.url;
                kept.header_key = request.header_key;
                kept.states = request.states;
                webhooks::update_webhook(db, &kept)?;
                let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
                Ok(Ok(webhook_view(kept, waiting, None)))
            })
            .await?
    })
    .await
}

/// `POST`: a new secret in the place of one that was lost; the old one stops working at once.
async fn new_secret(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let secret = form::fresh_secret();
        let sealed = seal_secret(&app, &id, &secret)?;
        let changed = app
            .store
            .with_connection(move |db| {
                let Some(mut kept) = webhooks::find_webhook(db, &asked.account.id, &id)? else {
                    return Ok(None);
                };
                kept.secret = sealed;
                webhooks::update_webhook(db, &kept)?;
                let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
                Ok(Some(webhook_view(kept, waiting, Some(secret))))
            })
            .await?;
        changed.ok_or_else(no_webhook)
    })
    .await
}

/// `DELETE`.
async fn remove_webhook(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let now = app.clock.now().timestamp_millis();
        let removed = app
            .store
            .with_connection(move |db| {
                let Some(kept) = webhooks::find_webhook(db, &asked.account.id, &id)? else { return Ok(None) };
                webhooks::remove_webhook(db, &kept, now)?;
                Ok(Some(webhook_view(kept, 0, None)))
            })
            .await?;
        removed.ok_or_else(no_webhook)
    })
    .await
}

/// `POST`: one delivery at once, apart from the queue; the answer says what came of it.
async fn test_webhook(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let now = app.clock.now();
        let event = Event {
            event_id: "0".into(),
            event: TEST_EVENT.into(),
            timestamp: event_stamp(now),
            body: EventBody::Other(EventReference::default()),
        };
        let rest = outbox::body_rest(&event);
        let account_id = asked.account.id.clone();
        let loopback = app.webhooks.loopback_rule(&asked.account);
        let kept_rest = rest.clone();
        let made = app
            .store
            .with_connection(move |db| {
                let Some(kept) = webhooks::find_webhook(db, &account_id, &id)? else { return Ok(None) };
                let at = now.timestamp_millis();
                let event_id =
                    webhooks_queue::insert(db, &account_id, TEST_EVENT, "test", &kept_rest, &[], at)?;
                Ok(Some((kept, event_id)))
            })
            .await?;
        let (kept, event_id) = made.ok_or_else(no_webhook)?;
        let target = Target::new(&kept, &app.webhooks.sealer, loopback)
            .map_err(|why| Refusal::invalid_field("/url", why))?;
        let mut answered = app
            .webhooks
            .sender
            .post(&target, webhooks_queue::event_body(event_id, &rest), SignatureStyle::of(&app.dialects))
            .await;
        // Whoever sets up webhooks learns whether an address answers, not what it says.
        answered.body.clear();
        Ok::<WebhookTestResult, Refusal>(attempt_view(dispatch::attempt(&app, answered)))
    })
    .await
}

/// `GET` of a webhook's deliveries: `?status=waiting|delivered|failed`, `?before=`.
async fn list_deliveries(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let status = query_value(asked.query.as_deref(), "status").unwrap_or_default().into_owned();
        if !matches!(status.as_str(), "" | "waiting" | "delivered" | "failed") {
            return Err(Refusal::invalid_field("/status", "waiting, delivered or failed is expected."));
        }
        let before = match query_value(asked.query.as_deref(), "before") {
            None => i64::MAX,
            Some(number) => {
                number.parse().map_err(|_| Refusal::invalid_field("/before", "A number is expected."))?
            }
        };
        let found = app
            .store
            .with_connection(move |db| {
                let Some(kept) = webhooks::find_webhook(db, &asked.account.id, &id)? else { return Ok(None) };
                webhooks_queue::list_deliveries(db, kept.seq, &status, before, PAGE + 1).map(Some)
            })
            .await?;
        let mut found = found.ok_or_else(no_webhook)?;
        let more = found.len() > usize::try_from(PAGE).unwrap_or(usize::MAX);
        found.truncate(usize::try_from(PAGE).unwrap_or(usize::MAX));
        let before = if more { found.last().map(|last| last.id) } else { None };
        Ok(WebhookDeliveries { deliveries: found.into_iter().map(delivery_view).collect(), before })
    })
    .await
}

/// `GET` of one delivery with body and log.
async fn show_delivery(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let id: i64 = id.parse().map_err(|_| no_delivery())?;
        let found = app
            .store
            .with_connection(move |db| {
                let found = webhooks_queue::load_delivery(db, &asked.account.id, id)?;
                let Some((delivery, body)) = found else { return Ok(None) };
                Ok(Some((delivery, body, webhooks_queue::list_attempts(db, id, PAGE)?)))
            })
            .await?;
        let (delivery, body, log) = found.ok_or_else(no_delivery)?;
        let log = log.into_iter().rev().map(attempt_view).collect();
        Ok(DeliveryDetail { delivery: delivery_view(delivery), body, log })
    })
    .await
}

/// `POST`: starts a delivery over, at once.
async fn redeliver_event(State(app): State<AppState>, Path(id): Path<String>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let id: i64 = id.parse().map_err(|_| no_delivery())?;
        let now = app.clock.now().timestamp_millis();
        let sending = app.webhooks.sending.lock().contains_key(&id);
        let begun = app
            .store
            .with_connection(move |db| {
                if webhooks_queue::load_delivery(db, &asked.account.id, id)?.is_none() {
                    return Ok(Err(no_delivery()));
                }
                if sending || !webhooks_queue::restart_delivery(db, id, now)? {
                    let why = "The delivery is being sent, or its webhook was removed.";
                    return Ok(Err(Refusal::conflict("", why)));
                }
                let found = webhooks_queue::load_delivery(db, &asked.account.id, id)?;
                Ok(found.map(|(delivery, _)| delivery_view(delivery)).ok_or_else(no_delivery))
            })
            .await?;
        app.webhooks.wake.notify_one();
        begun
    })
    .await
}

/// `GET` of the system notifications.
async fn list_notices(State(app): State<AppState>, request: Request) -> Response {
    answer_call(&app, request, StatusCode::OK, async |asked| {
        let found =
            app.store.with_connection(move |db| webhooks_notices::list_notices(db, &asked.account.id, PAGE));
        Ok(WebhookNotices { notices: found.await? })
    })
    .await
}

fn delivery_view(found: DeliveryEntry) -> WebhookDelivery {
    let status = found.status.parse().unwrap_or(DeliveryStatus::Unknown);
    let delivered = u32::from(status == DeliveryStatus::Delivered);
    WebhookDelivery {
        id: found.id,
        webhook_id: found.webhook_id,
        event_id: found.event_id.to_string(),
        event: found.event,
        subject: found.subject,
        status,
        attempts: found.failures + delivered,
        created_at: rfc3339_instant(found.created_at),
        next_attempt_at: (status == DeliveryStatus::Waiting).then(|| rfc3339_instant(found.due_at)),
        finished_at: found.finished_at.map(rfc3339_instant),
        response_status: found.response_status,
        error: found.error,
    }
}

fn attempt_view(attempt: AttemptResult) -> DeliveryAttempt {
    DeliveryAttempt {
        at: rfc3339_instant(attempt.at),
        response_status: attempt.status,
        response_body: attempt.body,
        error: attempt.error,
        milliseconds: attempt.milliseconds,
    }
}
