//! `/practice/`: what exists only here, apart from the contract. The client crate never calls it.
//!
//! Asked for with the practice account's own key or access token, even while that account is inactive
//! or its API access is off: otherwise no one could switch them on again.

mod accounts;
mod actions;
pub(crate) use accounts::PASSWORD_CHARS;
pub use actions::PracticeControls;
mod clock;
mod faults;
mod imports;
mod requests;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bordereau_service_store::accounts::Account;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::json_status;
use crate::body;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// The routes below `/practice/`.
pub(crate) fn practice_routes() -> Router<AppState> {
    Router::new()
        .route("/practice/clock", get(clock::show_clock).post(clock::move_it))
        .route(
            "/practice/faults",
            get(faults::list_faults).post(faults::add_fault).delete(faults::clear_faults),
        )
        .route("/practice/speed", get(imports::show_speed).post(imports::set_speed))
        .route("/practice/batches/{id}", post(imports::change_batch))
        .route("/practice/transactions", get(imports::list_transactions).post(imports::change_transaction))
        .route("/practice/requests", get(requests::show_requests))
        .route("/practice/actions", post(actions::post_action))
        .route("/practice/mail", get(actions::list_mail))
        .route("/practice/queue", get(actions::show_queue))
        .route("/practice/accounts", get(accounts::list_accounts).post(accounts::add_account))
        .route("/practice/accounts/{id}", get(accounts::show_account).patch(accounts::change_account))
        .route("/practice/accounts/{id}/api-key", post(accounts::new_key))
        .route("/practice/accounts/{id}/password", post(accounts::new_password))
}

impl Service {
    /// The practice account, or a refusal.
    async fn practice_caller(&self, parts: &Parts) -> Result<Arc<Account>, Refusal> {
        let account = self.identify_caller(parts).await?;
        if account.practice {
            Ok(account)
        } else {
            Err(Refusal::forbidden("Only the practice account may use /practice/."))
        }
    }

    /// The practice account and what its body says.
    async fn practice_body<T: DeserializeOwned>(
        &self,
        request: Request,
    ) -> Result<(Arc<Account>, T), Refusal> {
        let (parts, body) = request.into_parts();
        let caller = self.practice_caller(&parts).await?;
        let text = body::json_text(&parts, body).await?;
        Ok((caller, body::parse_object(&text)?))
    }
}

/// An answer in JSON, or the refusal.
fn json_response<T: Serialize>(status: StatusCode, result: Result<T, Refusal>) -> Response {
    match result {
        Ok(answer) => json_status(status, &answer),
        Err(refusal) => refusal.into_response(),
    }
}
