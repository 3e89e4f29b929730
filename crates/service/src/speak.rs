//! Requests and answers of the contract on their way in and out, in the dialects that are spoken.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bordereau_contract::IMPORT_BODY_BYTES_MAX;
use bordereau_dialects::{Dialect, DialectChange, ServiceEndpoint, records};
use bordereau_server::CutConnection;
use bordereau_service_store::{StoreError, batches, documents};
use chrono::NaiveDateTime;
use serde_json::{Value, json};

use crate::Clock;
use crate::answer::json_text;
use crate::faults::SpoiledAnswer;
use crate::imports;
use crate::refusal::Refusal;
use crate::service::AppState;

/// Seconds after its import in which a row is not shown, in the dialect `rows-late`.
const ROWS_LATE_SECONDS: i64 = 3;
/// Seconds after its upload in which a document is not listed, in the dialect `documents-late`.
const DOCUMENTS_LATE_SECONDS: i64 = 20;
/// Fields at fault that a sentence names.
const FIELDS_MAX: usize = 20;

/// Answers a request of the contract in these dialects.
pub(crate) async fn speak(
    app: &AppState,
    spoken: &[&'static Dialect],
    operation: ServiceEndpoint,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    // Templates and webhooks are the same in every dialect.
    if matches!(operation, ServiceEndpoint::Template | ServiceEndpoint::Webhooks) {
        return answer(request).await;
    }
    let response = match before(app, operation, request).await {
        Ok(request) => answer(request).await,
        Err(response) => response,
    };
    if response.extensions().get::<CutConnection>().is_some()
        || response.extensions().get::<SpoiledAnswer>().is_some()
    {
        return response;
    }
    after(app, spoken, operation, response).await.unwrap_or_else(IntoResponse::into_response)
}

/// What a dialect does before the request reaches its handler, or instead of it.
async fn before(app: &AppState, operation: ServiceEndpoint, request: Request) -> Result<Request, Response> {
    let speaks = |name| app.dialects.speaks(name);
    let (by_own_id, by_invoice) = {
        let asks_for = |name| imports::query_value(request.uri().query(), name).is_some();
        (asks_for("id"), asks_for("invoice_number"))
    };
    match operation {
        ServiceEndpoint::Calculator if speaks("no-calculator") => {
            Err(Refusal::forbidden("The calculator is not contracted for this account.").into_response())
        }
        ServiceEndpoint::BatchImport if speaks("batch-refused") => {
            Err(json_text(json!({"success": false, "error": "Batch import is not available."}).to_string()))
        }
        ServiceEndpoint::BatchImport if speaks("other-office") => {
            import_for_another_office(app, request).await
        }
        ServiceEndpoint::TransactionStatus | ServiceEndpoint::ImportResults
            if (speaks("own-id-unsupported") || speaks("service-number-only")) && by_own_id =>
        {
            Err(Refusal::not_found("There is nothing at this address.").into_response())
        }
        ServiceEndpoint::TransactionStatus if speaks("service-number-only") && by_invoice => {
            Err(Refusal::not_found("There is nothing at this address.").into_response())
        }
        ServiceEndpoint::ImportResults if speaks("batch-id-number") => with_hex_batch_id(app, request).await,
        ServiceEndpoint::ImportResults if speaks("batch-id-dashed") => Ok(without_dashes(request)),
        ServiceEndpoint::DocumentDownload if speaks("download-unavailable-once") => {
            if app.dialects.is_first_download(request.uri().path()) {
                return Err(unavailable_page());
            }
            Ok(request)
        }
        _ => Ok(request),
    }
}

/// A page of HTML as a gateway in front of a service shows it.
fn unavailable_page() -> Response {
    const PAGE: &str =
        "<html><head><title>503 Service Unavailable</title></head><body><h1>503</h1></body></html>";
    let mut response = Response::new(Body::from(PAGE));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
    response
}

/// Imports the same rows first as another office of the account would have, under ids of its own.
async fn import_for_another_office(app: &AppState, request: Request) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, IMPORT_BODY_BYTES_MAX).await.unwrap_or_default();
    if let Ok(mut copy) = serde_json::from_slice::<Value>(&bytes) {
        for row in copy["transactions"].as_array_mut().into_iter().flatten() {
            row["id"] = json!(format!("other-office-{}", row["id"].as_str().unwrap_or_default()));
        }
        let mut head = parts.clone();
        head.headers.remove(header::CONTENT_LENGTH);
        let copy = Request::from_parts(head, Body::from(copy.to_string()));
        // Whatever is wrong with the rows is said of the ones that were sent.
        let _ = imports::accept_batch(app, copy).await;
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// A batch may be asked for as its results write it.
fn without_dashes(mut request: Request) -> Request {
    if let Some(id) = imports::query_value(request.uri().query(), "batch_id") {
        let plain = id.replace('-', "").to_lowercase();
        if let Ok(address) = format!("{}?batch_id={plain}", request.uri().path()).parse::<Uri>() {
            *request.uri_mut() = address;
        }
    }
    request
}

/// Puts the batch's own id in place of the number the dialect gave it.
async fn with_hex_batch_id(app: &AppState, mut request: Request) -> Result<Request, Response> {
    let number =
        imports::query_value(request.uri().query(), "batch_id").and_then(|text| text.parse::<i64>().ok());
    let Some(number) = number else { return Ok(request) };
    let found = app.store.read(move |db| batches::id_of(db, number)).await;
    let found = found.map_err(|error| Refusal::from(error).into_response())?;
    let address = found.map(|id| format!("{}?batch_id={id}", request.uri().path()));
    if let Some(Ok(address)) = address.map(|address| address.parse::<Uri>()) {
        *request.uri_mut() = address;
    }
    Ok(request)
}

/// Changes an answer.
async fn after(
    app: &AppState,
    spoken: &[&'static Dialect],
    operation: ServiceEndpoint,
    response: Response,
) -> Result<Response, Refusal> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().ends_with(b"json"));
    if !is_json {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok(Response::from_parts(parts, Body::from(bytes)));
    };
    if parts.status.is_success() && !is_shown(app, operation, &mut value).await? {
        (parts, value) =
            as_json(Refusal::not_found("The account has no such transaction.").into_response()).await;
    }
    for dialect in spoken {
        match dialect.change {
            DialectChange::Answer(rewrite) if parts.status.is_success() => rewrite(operation, &mut value),
            DialectChange::Refusal(rewrite) if parts.status.is_client_error() => {
                if let Some(bent) = rewrite(operation, parts.status.as_u16(), &sentence_of(&value)) {
                    value = bent;
                    parts.status = StatusCode::OK;
                    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
                }
            }
            _ => {}
        }
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    if operation == ServiceEndpoint::BatchImport
        && parts.status.is_success()
        && let Some(answered) = answer_otherwise(app, &value)
    {
        return Ok(answered);
    }
    let body = write_body(app, &mut parts.headers, &value);
    Ok(Response::from_parts(parts, body))
}

/// A batch that was taken, answered without saying so.
fn answer_otherwise(app: &AppState, accepted: &Value) -> Option<Response> {
    let mut response = Response::new(Body::empty());
    if app.dialects.speaks("import-without-body") {
        *response.status_mut() = StatusCode::ACCEPTED;
        return Some(response);
    }
    let id = accepted["batch_id"].as_str().filter(|_| app.dialects.speaks("import-redirected"))?;
    let to = format!("/api/v4/transaction-import-results.json?batch_id={id}");
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_str(&to).ok()?);
    Some(response)
}

/// The bytes of an answer.
fn write_body(app: &AppState, headers: &mut HeaderMap, value: &Value) -> Body {
    let text = value.to_string();
    if app.dialects.speaks("answers-wide") {
        let kind = HeaderValue::from_static("application/json; charset=utf-16le");
        headers.insert(header::CONTENT_TYPE, kind);
        return Body::from(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    }
    Body::from(if app.dialects.speaks("answers-marked") { format!("\u{feff}{text}\r\n") } else { text })
}

/// What a refusal says, with its fields.
fn sentence_of(problem: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let fields = problem["errors"].as_array().into_iter().flatten().take(FIELDS_MAX);
    let fields = fields.map(|field| format!("{}: {}", text(&field["pointer"]), text(&field["detail"])));
    std::iter::once(text(&problem["detail"])).chain(fields).collect::<Vec<_>>().join(" ")
}

async fn as_json(response: Response) -> (axum::http::response::Parts, Value) {
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    (parts, serde_json::from_slice(&bytes).unwrap_or_default())
}

/// What needs the clock or the database: hides what is not shown yet and writes a batch's id as a number. False where
/// the one transaction asked for is hidden.
async fn is_shown(app: &AppState, operation: ServiceEndpoint, value: &mut Value) -> Result<bool, Refusal> {
    let now = app.clock.now().timestamp();
    if app.dialects.speaks("batch-id-number")
        && let Some(id) = value["batch_id"].as_str().map(str::to_owned)
    {
        value["batch_id"] = json!(app.store.read(move |db| batches::number_of(db, &id)).await?);
    }
    if app.dialects.speaks("documents-late") {
        hide_late_documents(app, operation, value, now).await?;
    }
    if !app.dialects.speaks("rows-late") {
        return Ok(true);
    }
    let is_late = |record: &Value| {
        let created = record["created_date"].as_str().unwrap_or_default().trim_end_matches(" UTC");
        let created = NaiveDateTime::parse_from_str(created, "%Y-%m-%d %H:%M:%S");
        created.is_ok_and(|at| now - at.and_utc().timestamp() < ROWS_LATE_SECONDS)
    };
    match operation {
        ServiceEndpoint::TransactionStatus => return Ok(!is_late(value)),
        ServiceEndpoint::Search => {
            let Some(data) = value["data"].as_array_mut() else { return Ok(true) };
            let before = data.len();
            data.retain(|record| !is_late(record));
            let hidden = u64::try_from(before - data.len()).unwrap_or_default();
            let total = value["pagination"]["total"].as_u64().unwrap_or_default();
            value["pagination"]["total"] = json!(total.saturating_sub(hidden));
        }
        _ => {}
    }
    Ok(true)
}

async fn hide_late_documents(
    app: &AppState,
    operation: ServiceEndpoint,
    value: &mut Value,
    now: i64,
) -> Result<(), StoreError> {
    for record in records(operation, value) {
        let Some(listed) = record["transaction_documents"].as_array_mut() else { continue };
        let mut shown = Vec::new();
        for document in listed.drain(..) {
            // `.../TRANSACTION/DOCUMENT/download`
            let number =
                document["download_url"].as_str().and_then(|url| url.rsplit('/').nth(1)?.parse::<i64>().ok());
            let created = match number {
                Some(number) => app.store.read(move |db| documents::created_at(db, number)).await?,
                None => None,
            };
            if created.is_none_or(|created| now - created >= DOCUMENTS_LATE_SECONDS) {
                shown.push(document);
            }
        }
        *listed = shown;
    }
    Ok(())
}
