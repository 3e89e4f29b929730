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
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::{get, post};
use bordereau_service_store::accounts::Account;
use serde::de::DeserializeOwned;

use crate::answer::JsonAnswer;
use crate::body;
use crate::refusal::Refusal;
use crate::service::AppState;

/// What these routes answer with 200.
type PracticeResult<T> = Result<JsonAnswer<T>, Refusal>;

/// What they answer with 201.
type CreatedResult<T> = Result<(StatusCode, JsonAnswer<T>), Refusal>;

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

/// The practice account: any other caller is refused.
struct PracticeCaller(Arc<Account>);

impl FromRequestParts<AppState> for PracticeCaller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<PracticeCaller, Refusal> {
        let account = app.identify_caller(parts).await?;
        if account.practice {
            Ok(PracticeCaller(account))
        } else {
            Err(Refusal::forbidden("Only the practice account may use /practice/."))
        }
    }
}

/// The practice account and what its body says.
struct PracticeBody<T>(Arc<Account>, T);

impl<T: DeserializeOwned> FromRequest<AppState> for PracticeBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &AppState) -> Result<PracticeBody<T>, Refusal> {
        let (mut parts, body) = request.into_parts();
        let PracticeCaller(account) = PracticeCaller::from_request_parts(&mut parts, app).await?;
        let text = body::json_text(&parts, body).await?;
        Ok(PracticeBody(account, body::parse_object(&text)?))
    }
}

fn created_answer<T>(value: T) -> CreatedResult<T> {
    Ok((StatusCode::CREATED, JsonAnswer(value)))
}
