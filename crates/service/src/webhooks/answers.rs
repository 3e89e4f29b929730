//! Webhooks as an account sets them up and looks after them [ours].

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use bordereau_contract::{
    DeliveryAttempt, DeliveryDetail, DeliveryStatus, Event, EventBody, Paths, TEST_EVENT, Webhook,
    WebhookDeliveries, WebhookDelivery, WebhookNotices, WebhookRequest, WebhookTestResult, Webhooks,
};
use serde::Serialize;

use super::sender::{SignatureForm, Target};
use super::{dispatch, form, instant, outbox, stamp};
use crate::Clock;
use crate::answer::json_status;
use crate::body;
use crate::faults::Operation;
use crate::imports::{parsed, query};
use crate::refusal::Refusal;
use crate::secrets;
use crate::service::App;
use crate::store::accounts::Account;
use crate::store::webhooks::{self, Kept};
use crate::store::webhooks_notices;
use crate::store::webhooks_queue::{self, Attempt, Listed};

/// Deliveries, attempts or notices one answer has.
const PAGE: i64 = 50;

/// The addresses of webhooks, below the path of the contract.
pub(crate) fn routes(paths: &Paths) -> Router<App> {
    let at = paths.webhooks.as_str();
    Router::new()
        .route(at, get(list).post(add))
        .route(&format!("{at}/notices"), get(notices))
        .route(&format!("{at}/deliveries/{{id}}"), get(delivery))
        .route(&format!("{at}/deliveries/{{id}}/redeliver"), post(redeliver))
        .route(&format!("{at}/{{id}}"), get(show).put(change).delete(remove))
        .route(&format!("{at}/{{id}}/secret"), post(new_secret))
        .route(&format!("{at}/{{id}}/test"), post(test))
        .route(&format!("{at}/{{id}}/deliveries"), get(deliveries))
}

/// Admits the caller, does the work and answers, under the faults that were asked for.
async fn answer<T: Serialize>(
    app: &App,
    request: Request,
    status: StatusCode,
    work: impl AsyncFnOnce(Asked) -> Result<T, Refusal>,
) -> Response {
    let work = async {
        let (parts, body) = request.into_parts();
        let account = app.admit(&parts).await?;
        let asked = Asked { account, query: parts.uri.query().map(str::to_owned), parts, body };
        Ok(json_status(status, &work(asked).await?))
    };
    app.answer(Operation::Webhooks, work).await
}

/// A request whose caller is known.
struct Asked {
    account: Arc<Account>,
    query: Option<String>,
    parts: axum::http::request::Parts,
    body: axum::body::Body,
}

impl Asked {
    async fn webhook(self) -> Result<(Arc<Account>, WebhookRequest), Refusal> {
        let text = body::json_text(&self.parts, self.body).await?;
        let mut request: WebhookRequest = parsed(&text)?;
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

fn view(kept: Kept, waiting: i64, secret: Option<String>) -> Webhook {
    Webhook {
        id: kept.id,
        title: kept.title,
        description: kept.description,
        events: kept.events,
        url: kept.url,
        header_key: kept.header_key,
        states: kept.states,
        created_at: instant(kept.created_at * 1_000),
        waiting,
        secret,
    }
}

/// `GET`: all webhooks of the account.
async fn list(State(app): State<App>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let found = app.store.run(move |db| {
            let found = webhooks::list(db, &asked.account.id)?;
            found
                .into_iter()
                .map(|kept| {
                    let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
                    Ok(view(kept, waiting, None))
                })
                .collect::<rusqlite::Result<Vec<Webhook>>>()
        });
        Ok(Webhooks { webhooks: found.await? })
    })
    .await
}

/// `POST`: a new webhook, with its secret for this one time.
async fn add(State(app): State<App>, request: Request) -> Response {
    answer(&app, request, StatusCode::CREATED, async |asked| {
        let (account, request) = asked.webhook().await?;
        let problems = form::problems(&request);
        if !problems.is_empty() {
            return Err(Refusal::validation(problems));
        }
        let secret = form::fresh_secret();
        let mut id = secrets::hex(&secrets::random::<32>());
        id.truncate(32);
        let kept = Kept {
            seq: 0,
            account_id: account.id.clone(),
            title: request.title,
            description: request.description,
            events: request.events,
            url: request.url,
            header_value: sealed(&app, &id, &request.header_value)?,
            header_key: request.header_key,
            secret: sealed(&app, &id, &secret)?,
            states: request.states,
            created_at: app.clock.now().timestamp(),
            id,
        };
        let added = app
            .store
            .run(move |db| {
                if webhooks::list(db, &kept.account_id)?.len() >= form::WEBHOOKS_MAX {
                    return Ok(None);
                }
                webhooks::insert(db, kept).map(Some)
            })
            .await?;
        let too_many =
            || format!("An account has at most {} webhooks; remove one first.", form::WEBHOOKS_MAX);
        let added = added.ok_or_else(|| Refusal::conflict("", too_many()))?;
        Ok(view(added, 0, Some(secret)))
    })
    .await
}

/// Seals a secret; nothing stays nothing.
fn sealed(app: &App, id: &str, secret: &str) -> Result<String, Refusal> {
    if secret.is_empty() {
        return Ok(String::new());
    }
    app.webhooks.sealer.seal(id, secret).map_err(Refusal::internal)
}

/// `GET` of one.
async fn show(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let found = app.store.run(move |db| {
            let Some(kept) = webhooks::find(db, &asked.account.id, &id)? else { return Ok(None) };
            let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
            Ok(Some(view(kept, waiting, None)))
        });
        found.await?.ok_or_else(no_webhook)
    })
    .await
}

/// `PUT`: everything as the body says; an empty `header_value` keeps the one there is.
async fn change(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let (account, request) = asked.webhook().await?;
        let keeps_value = !request.header_key.is_empty() && request.header_value.is_empty();
        let problems: Vec<_> = form::problems(&request)
            .into_iter()
            .filter(|problem| !(keeps_value && problem.pointer == "/header_value"))
            .collect();
        if !problems.is_empty() {
            return Err(Refusal::validation(problems));
        }
        let value = sealed(&app, &id, &request.header_value)?;
        app.store
            .run(move |db| {
                let Some(mut kept) = webhooks::find(db, &account.id, &id)? else {
                    return Ok(Err(no_webhook()));
                };
                if keeps_value && kept.header_value.is_empty() {
                    return Ok(Err(Refusal::field("/header_value", "A value is required.")));
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
                webhooks::update(db, &kept)?;
                let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
                Ok(Ok(view(kept, waiting, None)))
            })
            .await?
    })
    .await
}

/// `POST`: a new secret in the place of one that was lost; the old one is dead at once.
async fn new_secret(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let secret = form::fresh_secret();
        let sealed = sealed(&app, &id, &secret)?;
        let changed = app
            .store
            .run(move |db| {
                let Some(mut kept) = webhooks::find(db, &asked.account.id, &id)? else { return Ok(None) };
                kept.secret = sealed;
                webhooks::update(db, &kept)?;
                let waiting = webhooks_queue::waiting_of(db, kept.seq)?;
                Ok(Some(view(kept, waiting, Some(secret))))
            })
            .await?;
        changed.ok_or_else(no_webhook)
    })
    .await
}

/// `DELETE`.
async fn remove(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let now = app.clock.now().timestamp_millis();
        let removed = app
            .store
            .run(move |db| {
                let Some(kept) = webhooks::find(db, &asked.account.id, &id)? else { return Ok(None) };
                webhooks::remove(db, &kept, now)?;
                Ok(Some(view(kept, 0, None)))
            })
            .await?;
        removed.ok_or_else(no_webhook)
    })
    .await
}

/// `POST`: one delivery at once, apart from the queue; the answer says what came of it.
async fn test(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let now = app.clock.now();
        let event = Event {
            event_id: "0".into(),
            event: TEST_EVENT.into(),
            timestamp: stamp(now),
            body: EventBody::Other(None),
        };
        let rest = outbox::rest(&event);
        let account_id = asked.account.id.clone();
        let kept_rest = rest.clone();
        let made = app
            .store
            .run(move |db| {
                let Some(kept) = webhooks::find(db, &account_id, &id)? else { return Ok(None) };
                let at = now.timestamp_millis();
                let event_id =
                    webhooks_queue::insert(db, &account_id, TEST_EVENT, "test", &kept_rest, &[], at)?;
                Ok(Some((kept, event_id)))
            })
            .await?;
        let (kept, event_id) = made.ok_or_else(no_webhook)?;
        let target = Target::new(&kept, &app.webhooks.sealer).map_err(|why| Refusal::field("/url", why))?;
        let answered = app
            .webhooks
            .sender
            .post(&target, webhooks_queue::body(event_id, &rest), SignatureForm::of(&app.dialects))
            .await;
        Ok::<WebhookTestResult, Refusal>(logged(dispatch::attempt(&app, answered)))
    })
    .await
}

/// `GET` of a webhook's deliveries: `?status=waiting|delivered|failed`, `?before=`.
async fn deliveries(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let status = query(asked.query.as_deref(), "status").unwrap_or_default().into_owned();
        if !matches!(status.as_str(), "" | "waiting" | "delivered" | "failed") {
            return Err(Refusal::field("/status", "waiting, delivered or failed is expected."));
        }
        let before = match query(asked.query.as_deref(), "before") {
            None => i64::MAX,
            Some(number) => number.parse().map_err(|_| Refusal::field("/before", "A number is expected."))?,
        };
        let found = app
            .store
            .run(move |db| {
                let Some(kept) = webhooks::find(db, &asked.account.id, &id)? else { return Ok(None) };
                webhooks_queue::deliveries(db, kept.seq, &status, before, PAGE + 1).map(Some)
            })
            .await?;
        let mut found = found.ok_or_else(no_webhook)?;
        let more = found.len() > usize::try_from(PAGE).unwrap_or(usize::MAX);
        found.truncate(usize::try_from(PAGE).unwrap_or(usize::MAX));
        let before = if more { found.last().map(|last| last.id) } else { None };
        Ok(WebhookDeliveries { deliveries: found.into_iter().map(listed).collect(), before })
    })
    .await
}

/// `GET` of one delivery with body and log.
async fn delivery(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let id: i64 = id.parse().map_err(|_| no_delivery())?;
        let found = app
            .store
            .run(move |db| {
                let found = webhooks_queue::delivery(db, &asked.account.id, id)?;
                let Some((delivery, body)) = found else { return Ok(None) };
                Ok(Some((delivery, body, webhooks_queue::attempts(db, id, PAGE)?)))
            })
            .await?;
        let (delivery, body, log) = found.ok_or_else(no_delivery)?;
        let log = log.into_iter().rev().map(logged).collect();
        Ok(DeliveryDetail { delivery: listed(delivery), body, log })
    })
    .await
}

/// `POST`: starts a delivery over, at once.
async fn redeliver(State(app): State<App>, Path(id): Path<String>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let id: i64 = id.parse().map_err(|_| no_delivery())?;
        let now = app.clock.now().timestamp_millis();
        let sending = app.webhooks.sending.lock().contains_key(&id);
        let begun = app
            .store
            .run(move |db| {
                if webhooks_queue::delivery(db, &asked.account.id, id)?.is_none() {
                    return Ok(Err(no_delivery()));
                }
                if sending || !webhooks_queue::begin_anew(db, id, now)? {
                    let why = "It is being sent just now, or its webhook was removed.";
                    return Ok(Err(Refusal::conflict("", why)));
                }
                let found = webhooks_queue::delivery(db, &asked.account.id, id)?;
                Ok(found.map(|(delivery, _)| listed(delivery)).ok_or_else(no_delivery))
            })
            .await?;
        app.webhooks.wake.notify_one();
        begun
    })
    .await
}

/// `GET` of the system notifications.
async fn notices(State(app): State<App>, request: Request) -> Response {
    answer(&app, request, StatusCode::OK, async |asked| {
        let found = app.store.run(move |db| webhooks_notices::list(db, &asked.account.id, PAGE));
        Ok(WebhookNotices { notices: found.await? })
    })
    .await
}

fn listed(found: Listed) -> WebhookDelivery {
    let status = match found.status.as_str() {
        "waiting" => DeliveryStatus::Waiting,
        "delivered" => DeliveryStatus::Delivered,
        _ => DeliveryStatus::Failed,
    };
    let delivered = u32::from(status == DeliveryStatus::Delivered);
    WebhookDelivery {
        id: found.id,
        webhook_id: found.webhook_id,
        event_id: found.event_id.to_string(),
        event: found.event,
        subject: found.subject,
        status,
        attempts: found.failures + delivered,
        created_at: instant(found.created_at),
        next_attempt_at: (status == DeliveryStatus::Waiting).then(|| instant(found.due_at)),
        finished_at: found.finished_at.map(instant),
        response_status: found.response_status,
        error: found.error,
    }
}

fn logged(attempt: Attempt) -> DeliveryAttempt {
    DeliveryAttempt {
        at: instant(attempt.at),
        response_status: attempt.status,
        response_body: attempt.body,
        error: attempt.error,
        milliseconds: attempt.milliseconds,
    }
}
