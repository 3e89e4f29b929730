//! The handlers of the imports (contract section 3).

use axum::extract::{Request, State};
use axum::response::Response;
use bordereau_contract::{BatchStatus, ImportAccepted, ImportTransaction, SingleTransaction};
use bordereau_dialects::ServiceEndpoint;
use bordereau_service_store::batches;

use super::read_batch;
use super::row_writer;
use crate::answer::{json_answer, json_text};
use crate::body::{self, BodyBounds};
use crate::refusal::Refusal;
use crate::service::AppState;
use crate::{Clock, secrets};

/// `POST` of one transaction, flat.
pub(crate) async fn single_v2(State(app): State<AppState>, request: Request) -> Response {
    let read = |text: &str| read_batch::read_single::<ImportTransaction>(text, "", |row| row);
    let answer = async |request| Ok(json_text(import_single(&app, request, read).await?));
    app.answer(ServiceEndpoint::SingleImport, request, answer).await
}

/// `POST` of one transaction of several.
pub(crate) async fn single_v1(State(app): State<AppState>, request: Request) -> Response {
    let read = |text: &str| {
        read_batch::read_single::<SingleTransaction>(text, "/transaction", |single| &single.transaction)
            .map(|single| single.transaction)
    };
    let answer = async |request| Ok(json_text(import_single(&app, request, read).await?));
    app.answer(ServiceEndpoint::SingleImport, request, answer).await
}

/// `POST` of a batch.
pub(crate) async fn post_batch(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| Ok(json_answer(&accept_batch(&app, request).await?));
    app.answer(ServiceEndpoint::BatchImport, request, answer).await
}

/// `GET` of a batch's results.
pub(crate) async fn get_results(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| Ok(json_text(results_so_far(&app, request).await?));
    app.answer(ServiceEndpoint::ImportResults, request, answer).await
}

/// Runs on a thread that may block; a client that disconnects meanwhile does not stop it.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let ended = |_| Refusal::internal_error("The request failed in the service. Its log has the reason.");
    tokio::task::spawn_blocking(work).await.map_err(ended)?
}

/// A stored transaction whose body is read under the bound on memory.
async fn import_single(
    app: &AppState,
    request: Request,
    read: impl FnOnce(&str) -> Result<ImportTransaction, Refusal> + Send + 'static,
) -> Result<String, Refusal> {
    let (parts, body) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let _of_account = app.imports.account_place(&account.id).await?;
    let text = body::bounded_text(&parts, body, BodyBounds::IMPORT).await?;
    let _working = app.imports.work_place().await?;
    let app = app.clone();
    off_thread(move || {
        let row = read(&text)?;
        let now = app.clock.now();
        let today = now.date_naive();
        let prepared = row_writer::prepare_row(row, app.rules, &app.local, today);
        let now = now.timestamp();
        let stored = app.store.commit_on_this_thread(|db| {
            let seq = batches::insert_single(db, &secrets::generate_id(), &account.id, now)?;
            row_writer::RowWriter { db, account_id: &account.id, batch_seq: seq, now }.store_row(prepared)
        });
        Ok(stored.map_err(bordereau_service_store::StoreError::from)?)
    })
    .await
}

pub(crate) async fn accept_batch(app: &AppState, request: Request) -> Result<ImportAccepted, Refusal> {
    let (parts, body) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let _of_account = app.imports.account_place(&account.id).await?;
    let text = body::bounded_text(&parts, body, BodyBounds::IMPORT).await?;
    let _working = app.imports.work_place().await?;
    let app = app.clone();
    off_thread(move || {
        let accepted = read_batch::read_batch(&text)?;
        drop(text);
        let (id, now) = (secrets::generate_id(), app.clock.now().timestamp());
        app.store
            .commit_on_this_thread(|db| {
                batches::insert(db, &id, &account.id, &accepted.own_ids, &accepted.chunks, now)
            })
            .map_err(bordereau_service_store::StoreError::from)?;
        app.imports.wake.notify_one();
        let total_items = u32::try_from(accepted.own_ids.len()).unwrap_or(u32::MAX);
        let status = BatchStatus::Queued;
        Ok(ImportAccepted { batch_id: id, status, total_items, ..ImportAccepted::default() })
    })
    .await
}

async fn results_so_far(app: &AppState, request: Request) -> Result<String, Refusal> {
    let (parts, _) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let asked = |name| read_batch::query_value(parts.uri.query(), name).map(std::borrow::Cow::into_owned);
    let (id, own_id) = (asked("batch_id"), asked("id"));
    if id.is_none() && own_id.is_none() {
        return Err(Refusal::invalid_field("/batch_id", "batch_id is required in the address's query."));
    }
    let account = account.id.clone();
    let found = app
        .store
        .read(move |db| {
            let batch = match (&id, &own_id) {
                (Some(id), _) => batches::find_batch(db, &account, id)?,
                (None, Some(own_id)) => batches::find_by_own_id(db, &account, own_id)?,
                (None, None) => None,
            };
            let Some(batch) = batch else { return Ok(None) };
            let results = batches::load_results(db, batch.seq)?;
            Ok(Some((batch, results)))
        })
        .await?;
    let Some((batch, results)) = found else {
        return Err(Refusal::not_found("The account has no such batch."));
    };
    Ok(format!(
        "{{\"batch_id\":\"{}\",\"status\":\"{}\",\"transactions\":[{}]}}",
        batch.id,
        batch.status,
        results.join(",")
    ))
}
