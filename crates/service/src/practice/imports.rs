//! The speed of processing, batches given up, and what is stored: so that a test can prove "exactly once".

use axum::extract::{Path, RawQuery, State};
use bordereau_contract::TransactionStatus;
use bordereau_service_store::filings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{PracticeBody, PracticeCaller, PracticeResult, actions, state};
use crate::Clock;
use crate::answer::JsonAnswer;
use crate::imports::{ProcessingPace, SECONDS_MAX, query_value};
use crate::refusal::Refusal;
use crate::service::AppState;

/// Own ids one answer lists.
const LISTED_MAX: i64 = 20_000;

/// `GET /practice/speed`.
pub(super) async fn show_speed(
    State(app): State<AppState>,
    _: PracticeCaller,
) -> PracticeResult<ProcessingPace> {
    Ok(JsonAnswer(*app.imports.pace.borrow()))
}

/// `POST /practice/speed`: `{"rows_per_second": 50}` (0 pauses), `{"seconds_per_batch": 1800}`, or
/// `{}` for as fast as it goes. Counts at once, also for what waits already.
pub(super) async fn set_speed(
    State(app): State<AppState>,
    PracticeBody(_, pace): PracticeBody<ProcessingPace>,
) -> PracticeResult<ProcessingPace> {
    change_speed(&app, pace)?;
    Ok(JsonAnswer(pace))
}

/// Sets a speed that makes sense.
pub(super) fn change_speed(app: &AppState, pace: ProcessingPace) -> Result<(), Refusal> {
    if pace.rows_per_second.is_some() && pace.seconds_per_batch.is_some() {
        return Err(Refusal::invalid_field("/seconds_per_batch", "Give only one of the two."));
    }
    if pace.seconds_per_batch.is_some_and(|seconds| seconds > SECONDS_MAX) {
        return Err(Refusal::invalid_field(
            "/seconds_per_batch",
            format!("At most {SECONDS_MAX} is allowed."),
        ));
    }
    app.imports.pace.send_replace(pace);
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchChange {
    status: String,
}

/// `POST /practice/batches/{batch_id}`: `{"status": "failed"}` gives a batch up as a whole.
pub(super) async fn change_batch(
    State(app): State<AppState>,
    Path(id): Path<String>,
    PracticeBody(_, change): PracticeBody<BatchChange>,
) -> PracticeResult<Value> {
    if change.status != "failed" {
        return Err(Refusal::invalid_field("/status", "Only failed is accepted."));
    }
    if actions::fail_batch(&app, id.clone()).await? {
        Ok(JsonAnswer(json!({ "batch_id": id, "status": "failed" })))
    } else {
        Err(Refusal::not_found("No batch with this id is being processed."))
    }
}

#[derive(Serialize)]
pub(super) struct StoredTransactions {
    /// Transactions of the account.
    count: i64,
    /// In the order of the ids; the next page begins `?after=` the last one.
    transactions: Vec<StoredId>,
}

#[derive(Serialize)]
struct StoredId {
    id: String,
    count: i64,
    status: i64,
}

/// `GET /practice/transactions?account=&after=`: own ids with how often each is stored.
pub(super) async fn list_transactions(
    State(app): State<AppState>,
    PracticeCaller(caller): PracticeCaller,
    RawQuery(query): RawQuery,
) -> PracticeResult<StoredTransactions> {
    let asked = |name| query_value(query.as_deref(), name).map(std::borrow::Cow::into_owned);
    let account = asked("account").unwrap_or_else(|| caller.id.clone());
    let after = asked("after").unwrap_or_default();
    let found =
        app.store.with_connection(move |db| filings::own_ids(db, &account, &after, LISTED_MAX)).await?;
    let (count, ids) = found;
    let listed = |id: filings::OwnId| StoredId { id: id.id, count: id.count, status: id.status };
    Ok(JsonAnswer(StoredTransactions { count, transactions: ids.into_iter().map(listed).collect() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusChange {
    id: String,
    status: i64,
}

/// `POST /practice/transactions`: `{"id": "own id", "status": 4}` puts a transaction of the practice
/// account into a status.
pub(super) async fn change_transaction(
    State(app): State<AppState>,
    PracticeBody(caller, StatusChange { id, status }): PracticeBody<StatusChange>,
) -> PracticeResult<Value> {
    if TransactionStatus::from_number(status).is_none() {
        return Err(Refusal::invalid_field("/status", "A number from 0 to 4 is expected."));
    }
    let day = app.clock.now().date_naive().to_string();
    let (account, own_id) = (caller.id.clone(), id.clone());
    let now = app.clock.now();
    let set = app.store.with_connection(move |db| match filings::by_own_id(db, &account, &own_id)? {
        Some(filing) => state::move_to(db, &account, &filing, status, &day, now).map(|()| true),
        None => Ok(false),
    });
    let set = set.await?;
    app.webhooks.wake.notify_one();
    if set {
        Ok(JsonAnswer(json!({ "id": id, "status": status })))
    } else {
        Err(Refusal::not_found("The practice account has no such transaction."))
    }
}
