//! How many requests were counted.

use axum::extract::State;
use bordereau_contract::REQUESTS_PER_MINUTE;
use bordereau_service_store::accounts;
use serde::Serialize;

use super::{PracticeCaller, PracticeResult};
use crate::Clock;
use crate::answer::JsonAnswer;
use crate::limits::seconds_to_next_minute;
use crate::service::AppState;

#[derive(Serialize)]
pub(super) struct RequestCounts {
    limit_per_minute: u32,
    seconds_to_next_minute: i64,
    accounts: Vec<AccountRequests>,
}

#[derive(Serialize)]
struct AccountRequests {
    account_id: String,
    /// Refused ones included; calls of `/practice/` are not counted.
    this_minute: u32,
    /// Since the service started.
    total: u64,
}

/// `GET /practice/requests`.
pub(super) async fn show_requests(
    State(app): State<AppState>,
    _: PracticeCaller,
) -> PracticeResult<RequestCounts> {
    let now = app.clock.now();
    let counted = |account: accounts::Account| {
        let count = app.limits.current_usage(&account.id, now);
        AccountRequests { account_id: account.id, this_minute: count.this_minute, total: count.total }
    };
    let accounts = app.store.with_connection(accounts::list_accounts).await?;
    Ok(JsonAnswer(RequestCounts {
        limit_per_minute: REQUESTS_PER_MINUTE,
        seconds_to_next_minute: seconds_to_next_minute(now),
        accounts: accounts.into_iter().map(counted).collect(),
    }))
}
